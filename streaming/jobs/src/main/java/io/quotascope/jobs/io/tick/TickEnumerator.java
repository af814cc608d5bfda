package io.quotascope.jobs.io.tick;

import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;

/** Hands out nothing: the reader needs no split. */
final class TickEnumerator implements SplitEnumerator<TickSplit, Void> {

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<TickSplit> splits, int subtask) {}

    @Override
    public void addReader(int subtask) {}

    @Override
    public Void snapshotState(long checkpoint) {
        return null;
    }

    @Override
    public void close() {}
}
