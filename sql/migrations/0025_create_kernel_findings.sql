-- One row: what one rule about kernels says of one host in one hour (schemas/kernel_finding.avsc). Written by the hosts job on every part;
-- a row covers all parts up to its own, so readers take the HIGHEST part.
CREATE TABLE IF NOT EXISTS quotascope.kernel_findings
(
    origin                 LowCardinality(String) COMMENT 'where the numbers come from',
    cluster                LowCardinality(String) COMMENT 'cluster',
    host_id                String                 COMMENT 'host',
    window_start           DateTime64(6, 'UTC')   COMMENT 'start of the hour, microseconds since the Unix epoch, UTC' CODEC(Delta, ZSTD(1)),
    window_us              Int64                  CODEC(T64, ZSTD(1)),
    part                   UInt32                 COMMENT 'which slot of arrival the row closes: 0 = appended to the log until 30 s after the hour''s end, else floor(append time / 15 min). A part 0 is written every ten minutes while the hour passes' CODEC(T64, ZSTD(1)),
    version                UInt64                 COMMENT 'reprocessing revision x 2^32 + how many ten minutes of the hour had passed, 1 to 6' CODEC(ZSTD(1)),
    kernel_release         LowCardinality(String) COMMENT 'the kernel''s release string as uname states it; a host that was rebooted into another has rows of both',
    rule                   LowCardinality(String) COMMENT 'the rule: expiry-skew, slice-expiry, period-scaling, unthrottle-lockup or per-task-throttle (docs/model/kernel-rules.md)',
    evidence               LowCardinality(String) COMMENT 'letters of the kinds of evidence of the rule: S = stated in the articles on the fault, C = read in commits, issues or test suites, U = not verified',
    rule_standing          LowCardinality(String) COMMENT 'whether the release has what the rule is about',
    verdict                LowCardinality(String) COMMENT 'what both mean together. Only slice-expiry and expiry-skew show in behaviour; the others follow from the version alone',
    behavioural_signature  Nullable(Bool)         COMMENT 'whether more quota was handed out than used: throttled periods that usage does not explain',
    cpus                   Int32                  COMMENT 'cPUs online, the most stated in the hour' CODEC(T64, ZSTD(1)),
    shards                 Int32                  COMMENT 'shards with a quota seen on the host under this kernel' CODEC(T64, ZSTD(1)),
    shards_throttled       Int32                  COMMENT 'shards among them that were throttled' CODEC(T64, ZSTD(1)),
    shards_stranded        Int32                  COMMENT 'shards among those whose throttling their usage does not explain' CODEC(T64, ZSTD(1)),
    shards_unjudged        Int32                  COMMENT 'shards left out because their quota or period changed within the hour' CODEC(T64, ZSTD(1)),
    stranded_cores         Nullable(Float64)      CODEC(ZSTD(1)),
    stranded_cores_low     Nullable(Float64)      COMMENT 'the least that was lost for certain: what CPUs may still hold and what cut periods may hide taken off' CODEC(ZSTD(1)),
    stranded_cores_high    Nullable(Float64)      COMMENT 'the most that can have been lost: as if nothing had been used in throttled periods that the other periods could hold' CODEC(ZSTD(1)),
    completeness           Nullable(Float64)      COMMENT 'shard records received / shard records that the host says it sent, 0..1' CODEC(ZSTD(1)),
    worst_shards           Array(String),
    reasons                Array(String)          COMMENT 'why, in words'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY toYYYYMM(window_start)
ORDER BY (origin, cluster, host_id, window_start, kernel_release, rule, part)
TTL toDateTime(window_start) + INTERVAL 13 MONTH
SETTINGS ttl_only_drop_parts = 1;
