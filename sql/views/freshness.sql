-- One row: one kind of row, one origin: the newest minute (or window) there is, and how long ago it ended, by the server's clock.
-- Only kinds that are written each minute: what-if and savings come on a cadence of their own, hours when an hour is over.
-- A promise of the pipeline is kept when summaries are at most a minute old; what is older than three waits for somebody.
CREATE OR REPLACE VIEW quotascope_views.freshness
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    kind,
    origin,
    newest AS window_start,
    newest + toIntervalSecond(window_seconds) AS window_end,
    dateDiff('millisecond', window_end, now64(3)) / 1000 AS age_seconds,
    rows_of_last_hour
FROM
(
    SELECT 'host windows' AS kind, origin, max(window_start) AS newest, 10 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.host_windows WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'service windows' AS kind, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.service_windows WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'throttling summaries' AS kind, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.throttling_summaries WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'thread ratios' AS kind, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.thread_ratios WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'tuning ranks' AS kind, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.tuning_ranks WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'collapse risks' AS kind, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.collapse_risks WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
);
