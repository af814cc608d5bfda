package io.quotascope.jobs.io.tick;

import org.apache.flink.api.connector.source.SourceSplit;

/** Flink wants a type of split; ticks have nothing to be divided, so none is ever made. */
final class TickSplit implements SourceSplit {
    @Override
    public String splitId() {
        return "ticks";
    }
}
