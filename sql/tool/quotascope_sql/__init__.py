"""Migrations, views and reports of the ClickHouse database: one command, standard library only."""
