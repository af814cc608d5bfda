"""What the jobs wrote about a simulated time, read from the views as everybody reads them."""

from quotascope_sql.server import Server

HOUR_US = 3_600_000_000
DAY_US = 24 * HOUR_US


class Tables:
    """The rows of origin `simulated` between two instants, microseconds since the Unix epoch."""

    def __init__(self, server: Server, start_us: int, end_us: int):
        self.server = server
        self.start_us = start_us
        self.end_us = end_us

    def _rows(self, columns: str, view: str, rest: str = "", since_us: int | None = None) -> list[dict]:
        start = self.start_us if since_us is None else since_us
        return self.server.rows(
            f"SELECT {columns} FROM quotascope_views.{view} WHERE origin = 'simulated'"
            f" AND window_start >= fromUnixTimestamp64Micro({start}) AND window_start < fromUnixTimestamp64Micro({self.end_us}) {rest}"
        )

    def ranking(self) -> list[dict]:
        """The ranked table at the end of the time, best first; classes that ended before are left out."""
        columns = "cluster, service, quota_class, verdict, rank_class, rank_score, throttled_period_ratio"
        return self._rows(columns, "service_ranking", "ORDER BY rank_position", self.end_us - HOUR_US)

    def latest(self) -> list[dict]:
        """The same services by worth: dollars a year, then the ranking's own order."""
        columns = "cluster, service, verdict, savings_usd_per_year, rank_class, rank_score"
        order = "ORDER BY ifNull(savings_usd_per_year, 0) DESC, rank_class, rank_score DESC, cluster, service"
        return self._rows(columns, "service_latest", order, self.end_us - HOUR_US)

    def throttled_ratio(self, since_us: int) -> list[dict]:
        """Services by the throttled period ratio of their hours, highest first."""
        columns = "cluster, service, sum(throttled_periods) / greatest(1, sum(periods)) AS ratio"
        return self._rows(columns, "service_hours", "GROUP BY cluster, service ORDER BY ratio DESC, cluster, service", since_us)

    def hours(self) -> list[dict]:
        """Completeness of every hour of every service and class."""
        return self._rows(
            "cluster, service, quota_class, toUnixTimestamp64Micro(window_start) AS hour_start_us, completeness",
            "service_hours",
            "AND completeness IS NOT NULL",
        )

    def verifications(self) -> list[dict]:
        """Every look at every change; effects as dictionaries."""
        return self._rows(
            "cluster, service, kind, outcome, effects, toUnixTimestamp64Micro(changed_at) AS changed_at_us,"
            " toUnixTimestamp64Micro(window_start) AS window_start_us",
            "verifications",
        )

    def changes(self) -> list[dict]:
        """Changes that were declared or seen in the stream."""
        return self.server.rows(
            "SELECT cluster, service, kind, source, toUnixTimestamp64Micro(changed_at) AS changed_at_us"
            " FROM quotascope_views.change_events WHERE origin = 'simulated'"
            f" AND changed_at >= fromUnixTimestamp64Micro({self.start_us}) AND changed_at < fromUnixTimestamp64Micro({self.end_us})"
        )

    def kernel_findings(self) -> list[dict]:
        """What every rule about kernels says of every host."""
        return self._rows("cluster, host_id, kernel_release, verdict, rule", "kernel_findings")

    def alerts(self) -> list[dict]:
        """Alerts that fired, by kind and subject."""
        return self._rows("DISTINCT kind, severity, cluster, service, host_id", "throttling_alerts", "AND state = 'firing'")

    def counts(self) -> dict[str, int]:
        """Rows of every view that has an origin and a window."""
        views = (
            "service_windows", "throttling_summaries", "thread_ratios", "tuning_ranks", "service_hours", "collapse_risks",
            "what_if_outcomes", "savings_estimates", "verifications", "kernel_findings", "host_hours", "throttling_alerts",
        )  # fmt: skip
        return {view: self._rows("count() AS n", view)[0]["n"] for view in views}
