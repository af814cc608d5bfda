-- What was analysed in the day before what_if_latest was there: no page shows an older analysis as the latest.
-- Running twice changes nothing, because rows replace each other by what they are.
INSERT INTO quotascope.what_if_latest SELECT * FROM quotascope.what_if_outcomes WHERE window_start > now() - INTERVAL 1 DAY;
