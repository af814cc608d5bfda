-- One row: one kind of row, one origin: the newest minute (or window) there is, and how long ago it ended, by the server's clock.
-- Of analyses the newest of each service and class is looked at: rows_of_last_hour counts what was analysed in it, once. Others are counted as they were written.
-- `written` says when the kind is written: what comes each minute may be a minute old, an analysis waits for its turn, an hour until it is over.
CREATE OR REPLACE VIEW quotascope_views.freshness
DEFINER = admin SQL SECURITY DEFINER AS
SELECT
    kind,
    written,
    origin,
    newest AS window_start,
    newest + toIntervalSecond(window_seconds) AS window_end,
    dateDiff('millisecond', window_end, now64(3)) / 1000 AS age_seconds,
    rows_of_last_hour
FROM
(
    SELECT 'host windows' AS kind, 'every 10 s' AS written, origin, max(window_start) AS newest, 10 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.host_windows WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'service windows' AS kind, 'each minute' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.service_windows WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'throttling summaries' AS kind, 'each minute' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.throttling_summaries WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'thread ratios' AS kind, 'each minute' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.thread_ratios WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'tuning ranks' AS kind, 'each minute' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.tuning_ranks WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'collapse risks' AS kind, 'each minute' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.collapse_risks WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'what-if outcomes' AS kind, 'when its turn comes (10 min)' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.what_if_latest WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'savings estimates' AS kind, 'when its turn comes (10 min)' AS written, origin, max(window_start) AS newest, 60 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.savings_latest WHERE window_start > now() - INTERVAL 1 DAY GROUP BY origin
    UNION ALL
    SELECT 'service hours' AS kind, 'when the hour is over' AS written, origin, max(window_start) AS newest, 3600 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.service_hours WHERE window_start > now() - INTERVAL 2 DAY GROUP BY origin
    UNION ALL
    SELECT 'host hours' AS kind, 'when the hour is over' AS written, origin, max(window_start) AS newest, 3600 AS window_seconds, countIf(window_start > now() - INTERVAL 1 HOUR) AS rows_of_last_hour
    FROM quotascope.host_hours WHERE window_start > now() - INTERVAL 2 DAY GROUP BY origin
);
