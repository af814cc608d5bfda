package io.quotascope.jobs.io.tick;

import io.quotascope.jobs.io.kafka.KafkaConnection;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The place where the tick writer lives: a source of parallelism 1 that never emits an element and
 * is never part of the data's way. It starts, restarts and stops with its job, which is all that is
 * wanted of Flink here.
 */
public final class TickSource implements Source<Long, TickSplit, Void> {
    private static final long serialVersionUID = 1L;

    private final KafkaConnection connection;
    private final List<String> topics;
    private final Duration interval;

    public TickSource(KafkaConnection connection, List<String> topics, Duration interval) {
        this.connection = connection;
        this.topics = List.copyOf(topics);
        this.interval = interval;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Long, TickSplit> createReader(SourceReaderContext context) {
        return new TickReader(
                () ->
                        new TickWriter(
                                connection,
                                topics,
                                interval,
                                context.metricGroup().counter("ticks_written"),
                                context.metricGroup().counter("ticks_failed")));
    }

    @Override
    public SplitEnumerator<TickSplit, Void> createEnumerator(
            SplitEnumeratorContext<TickSplit> context) {
        return new TickEnumerator();
    }

    @Override
    public SplitEnumerator<TickSplit, Void> restoreEnumerator(
            SplitEnumeratorContext<TickSplit> context, Void checkpoint) {
        return new TickEnumerator();
    }

    @Override
    public SimpleVersionedSerializer<TickSplit> getSplitSerializer() {
        return new EmptySerializer<>();
    }

    @Override
    public SimpleVersionedSerializer<Void> getEnumeratorCheckpointSerializer() {
        return new EmptySerializer<>();
    }
}
