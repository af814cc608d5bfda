package io.quotascope.jobs.io.clickhouse;

import java.io.Serializable;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Writes elements as rows of one table, at least once: what a failure repeats is byte for byte the
 * same row, and ReplacingMergeTree removes it. ClickHouse being away is back-pressure, never loss;
 * rows that it refuses for good stop the job with the table and the server's sentence.
 */
public final class ClickHouseSink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final ClickHouseTarget target;
    private final Table table;
    private final Rows<T> rows;

    /** The row of an element; it runs on the task managers. */
    public interface Rows<T> extends Serializable {
        TableRow of(T element);
    }

    public ClickHouseSink(ClickHouseTarget target, Table table, Rows<T> rows) {
        this.target = target;
        this.table = table;
        this.rows = rows;
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) {
        return new ClickHouseWriter<>(target, table.layout(), rows, context);
    }
}
