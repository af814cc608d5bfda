-- Which threads ran when a shard used more cores than its quota, where the collector may name them (thread_names, off by default).
ALTER TABLE quotascope.shard_windows
    ADD COLUMN IF NOT EXISTS excursion_threads Array(Tuple(comm String, usage_us Int64))
    COMMENT 'names of threads by CPU time in samples above quota, digits folded to #, at most 8; empty: names are not measured, or no sample was above quota' CODEC(ZSTD(1));
