"""The database: tables, engines and queries, and the one place that filters by vault and
position.
"""
