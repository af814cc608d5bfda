-- When a host was heard first and last: what came before its first window is not missing, and the end of its last one is when it fell silent.
ALTER TABLE quotascope.host_hours
    ADD COLUMN IF NOT EXISTS first_heard Nullable(DateTime64(6, 'UTC')) COMMENT 'start of the first host window received; null: the host was heard in the hours before, as far back as a record may be late; or no window of it came in this one' CODEC(Delta, ZSTD(1)),
    ADD COLUMN IF NOT EXISTS heard_until Nullable(DateTime64(6, 'UTC')) DEFAULT if(host_records = 0, NULL, window_start + toIntervalSecond(10 * least(host_records, 360))) COMMENT 'end of the last host window received; null: none came. Rows of a version that did not tell: the hour''s start and ten seconds for each window' CODEC(Delta, ZSTD(1));
