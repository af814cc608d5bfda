package io.quotascope.domain.hosts;

/** What is counted of a host over its windows; each by a law that no order of arrival changes. */
public enum HostCounter {
    /** Host windows received. */
    HOST_RECORDS(Law.SUM),
    /** Start of the first host window received, microseconds since the Unix epoch; 0: none. */
    FIRST_WINDOW_US(Law.EARLIEST),
    /** End of the last host window received, microseconds since the Unix epoch; 0: none. */
    HEARD_UNTIL_US(Law.MAX),
    /** Shard windows received. */
    SHARD_RECORDS(Law.SUM),
    /** Shard windows that the host says it sent. */
    EXPECTED_SHARD_RECORDS(Law.SUM),
    /** Host windows known to be missing. */
    MISSING_HOST_RECORDS(Law.SUM),
    /** Shard windows known to be missing. */
    MISSING_SHARD_RECORDS(Law.SUM),
    /** Windows that state usage. */
    USAGE_RECORDS(Law.SUM),
    /** CPU time used, microseconds. */
    USAGE_US(Law.SUM),
    /** Windows in which the host was saturated. */
    SATURATED_WINDOWS(Law.SUM),
    /** CPU time that the CPUs could give in the windows that state steal, microseconds. */
    STEAL_CAPACITY_US(Law.SUM),
    /** CPU time taken by the hypervisor, microseconds. */
    STEAL_US(Law.SUM),
    /** Windows that state interrupts. */
    IRQ_RECORDS(Law.SUM),
    /** CPU time in interrupts, microseconds. */
    IRQ_US(Law.SUM),
    /** Windows that state context switches. */
    CONTEXT_SWITCH_RECORDS(Law.SUM),
    /** Context switches. */
    CONTEXT_SWITCHES(Law.SUM),
    /** Windows that state threads. */
    THREAD_RECORDS(Law.SUM),
    /** Sum of threads over them. */
    THREADS(Law.SUM),
    /** Most threads. */
    THREADS_MAX(Law.MAX),
    /** Windows that state runnable threads. */
    RUNNABLE_RECORDS(Law.SUM),
    /** Sum of runnable threads over them. */
    RUNNABLE_THREADS(Law.SUM),
    /** Most runnable threads. */
    RUNNABLE_THREADS_MAX(Law.MAX),
    /** Most CPUs online. */
    CPUS_MAX(Law.MAX),
    /** Largest sum of quota / period over the shards, 1/1000 core. */
    QUOTA_MILLICORES_MAX(Law.MAX),
    /** Most shards without a quota. */
    UNLIMITED_SHARDS_MAX(Law.MAX),
    /** CPU time of the agent, microseconds. */
    AGENT_CPU_US(Law.SUM),
    /** Windows that state the time of BPF programs. */
    BPF_RECORDS(Law.SUM),
    /** CPU time of BPF programs, microseconds. */
    BPF_RUN_US(Law.SUM),
    /** Most resident memory of the agent, bytes. */
    AGENT_RSS_BYTES_MAX(Law.MAX),
    /** Most bytes in the spool. */
    SPOOL_BYTES_MAX(Law.MAX),
    /** Most records dropped since the agent's start. */
    DROPS_MAX(Law.MAX),
    /** Most cgroups beyond the cap. */
    OVERFLOW_CGROUPS_MAX(Law.MAX),
    /** Cgroups that came and went within a window. */
    SHORT_LIVED_CGROUPS(Law.SUM),
    /** Most that the agent did without. */
    PROTECTION_STEP_MAX(Law.MAX),
    /** Steps of the wall clock. */
    CLOCK_STEPS(Law.SUM),
    /** Shard windows handed over late. */
    LATE_WINDOWS(Law.SUM);

    /** How two counts become one. */
    private enum Law {
        SUM,
        MAX,
        EARLIEST
    }

    private final Law law;

    HostCounter(Law law) {
        this.law = law;
    }

    long join(long one, long other) {
        return switch (law) {
            case SUM -> one + other;
            case MAX -> Math.max(one, other);
            case EARLIEST -> one == 0 || other == 0 ? one + other : Math.min(one, other);
        };
    }
}
