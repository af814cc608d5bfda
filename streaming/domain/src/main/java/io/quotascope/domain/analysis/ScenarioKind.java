package io.quotascope.domain.analysis;

/** Kinds of changes that are asked about. */
public enum ScenarioKind {
    /** The setting in force. */
    AS_IT_IS,
    /** Another quota. */
    QUOTA,
    /** Another enforcement period. */
    PERIOD,
    /** Another bandwidth slice of the host. */
    BANDWIDTH_SLICE,
    /** A burst allowance. */
    BURST,
    /** At most so many cores at any instant in place of a quota. */
    CONCURRENCY_CAP,
    /** At most so many threads of the pools at once. */
    POOL_THREADS,
    /** Whole CPUs in place of a quota. */
    PINNING,
    /** No quota on a host of a given load. */
    NO_QUOTA,
    /** Several shards in one. */
    CONSOLIDATION,
    /** One shard in several. */
    SPLIT,
    /** Another load. */
    LOAD
}
