"""The screens of the app, a file each."""
