"""The one kind of failure a person is meant to read."""


class DashboardsFailure(Exception):
    """Something the reader can act on; the message is the whole explanation."""
