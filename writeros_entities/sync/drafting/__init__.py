"""From a file to the draft of its rows and its mentions: without the database."""
