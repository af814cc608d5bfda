-- The feed took the columns of its day; now it takes those that savings_estimates has gained.
ALTER TABLE quotascope.savings_latest_feed MODIFY QUERY SELECT * FROM quotascope.savings_estimates;
