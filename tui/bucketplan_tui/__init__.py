"""All that a person sees of bucketplan: the app and the plain command."""
