-- Every row that enters savings_estimates enters savings_latest in the same insert; an insert that reaches only one of them fails and is repeated by the sink.
CREATE MATERIALIZED VIEW IF NOT EXISTS quotascope.savings_latest_feed TO quotascope.savings_latest
DEFINER = admin SQL SECURITY DEFINER
AS SELECT * FROM quotascope.savings_estimates;
