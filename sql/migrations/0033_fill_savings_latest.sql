-- What was analysed in the day before savings_latest was there: no page shows an older analysis as the latest.
-- Running twice changes nothing, because rows replace each other by what they are.
INSERT INTO quotascope.savings_latest SELECT * FROM quotascope.savings_estimates WHERE window_start > now() - INTERVAL 1 DAY;
