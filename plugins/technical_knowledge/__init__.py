"""The technical knowledge base: languages, frameworks, databases, clouds, companies, terms."""
