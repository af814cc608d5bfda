package io.quotascope.jobs.intake;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Counters of what became of records: metric {@code records} with the variable {@code outcome}.
 * Their sum is the number of messages read.
 */
final class Outcomes {
    static final String ACCEPTED = "accepted";
    static final String DUPLICATE = "duplicate";
    static final String TICK = "tick";

    private Outcomes() {}

    static Counter counter(MetricGroup group, String outcome) {
        return group.addGroup("outcome", outcome).counter("records");
    }
}
