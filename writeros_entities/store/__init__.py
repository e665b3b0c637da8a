"""The database: tables, engines, queries, and the filter by vault and reading position."""
