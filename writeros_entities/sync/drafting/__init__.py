"""Turn files into drafts of rows and mentions, without access to the database."""
