package io.quotascope.domain.alert;

/** What can be wrong, in which unit it is judged, and what to do about it. */
public enum AlertKind {
    /** A pulse of load is enough to collapse the service for good, or it has collapsed. */
    VULNERABLE(
            "vulnerable",
            "0 = stable, 1 = vulnerable, 2 = collapsed",
            "shed load as soon as throttling begins, and take no quota away by itself. The recommended change is sized for the target headroom at the peak, and its parts belong together; where it gives cores back, the cliff comes nearer to that target (Cliff now, Cliff after), and the what-if says what moves it away"),
    /** The load that collapses the service is near. */
    CLIFF_NEAR(
            "cliff_near",
            "collapse load / load of the minute",
            "before its next peak keep load off the service, or apply its recommended change where that moves the cliff away (Cliff now, Cliff after); the what-if says what other settings would do"),
    /** The host's kernel loses quota. */
    KERNEL_FAULT(
            "kernel_fault",
            "cores of quota certainly lost on the host",
            "move the throttled shards away and install a kernel with the fix (docs/model/kernel-rules.md)"),
    /** Too many threads on a host. */
    HOST_THREADS(
            "host_threads",
            "threads of the host / CPUs",
            "find the services with most threads on this host and bound their pools"),
    /** The threads of a host multiply. */
    HOST_THREADS_GROWTH(
            "host_threads_growth",
            "threads of the host / mean of the last hour",
            "find the service whose threads grow, and stop it before the scheduler is the bottleneck: contention grows faster than the number of threads"),
    /** More threads than a shard's reserved cores can carry, and throttled by it. */
    SHARD_THREADS(
            "shard_threads",
            "threads of a shard / reserved cores, 99th percentile, counted only while throttled",
            "bound the thread pools to a few threads for each reserved core"),
    /** Shards above their quota while their host was saturated. */
    NEIGHBOUR_INTERFERENCE(
            "neighbour_interference",
            "CPU time above quota in saturated windows / CPU time of the host in the minute",
            "move one of the shards named first to another host, or lower its burst and quota"),
    /** The windows of a host stopped. */
    SILENT_HOST(
            "silent_host",
            "minutes without a window of the host, by the log's clock",
            "see whether the host, its collector or its way to Kafka is down; nothing is known of its shards since"),
    /** A change took back what it had promised. */
    SAVINGS_REGRESSED(
            "savings_regressed",
            "1 = the change has regressed",
            "undo the change, or accept and record why it is kept");

    private final String label;
    private final String unit;
    private final String remedy;

    AlertKind(String label, String unit, String remedy) {
        this.label = label;
        this.unit = unit;
        this.remedy = remedy;
    }

    /** Name in records and options. */
    public String label() {
        return label;
    }

    /** What the judged value is. */
    public String unit() {
        return unit;
    }

    /** What to do, in words. */
    public String remedy() {
        return remedy;
    }
}
