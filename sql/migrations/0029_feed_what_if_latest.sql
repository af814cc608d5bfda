-- Every row that enters what_if_outcomes enters what_if_latest in the same insert; an insert that reaches only one of them fails and is repeated by the sink.
CREATE MATERIALIZED VIEW IF NOT EXISTS quotascope.what_if_latest_feed TO quotascope.what_if_latest
DEFINER = admin SQL SECURITY DEFINER
AS SELECT * FROM quotascope.what_if_outcomes;
