package io.quotascope.jobs.io.tick;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/** Keeps a tick writer for as long as the task runs and never has an element. */
final class TickReader implements SourceReader<Long, TickSplit> {

    private final Supplier<TickWriter> start;
    private final CompletableFuture<Void> never = new CompletableFuture<>();
    private TickWriter writer;

    TickReader(Supplier<TickWriter> start) {
        this.start = start;
    }

    @Override
    public void start() {
        writer = start.get();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Long> output) {
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return never;
    }

    @Override
    public List<TickSplit> snapshotState(long checkpoint) {
        return List.of();
    }

    @Override
    public void addSplits(List<TickSplit> splits) {}

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {
        if (writer != null) {
            writer.close();
        }
    }
}
