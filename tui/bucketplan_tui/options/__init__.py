"""Options that several commands and the app share."""
