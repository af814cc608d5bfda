package io.quotascope.jobs.io.clickhouse;

import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers rows and sends them when they are many, large or old enough, and at every checkpoint. The
 * task's own thread waits for the answer: that is the back-pressure.
 */
final class ClickHouseWriter<T> implements SinkWriter<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ClickHouseWriter.class);
    private static final int FIRST_CAPACITY_BYTES = 64 * 1024;
    private static final long SAY_AGAIN_AFTER_MS = Duration.ofSeconds(30).toMillis();

    private final ClickHouseTarget target;
    private final TableLayout layout;
    private final ClickHouseSink.Rows<T> rowsOf;
    private final ClickHouseInsert insert;
    private final ProcessingTimeService clock;
    private final Counter rowsSent;
    private final Counter inserts;
    private final Counter repetitions;
    private final DataOutputSerializer batch = new DataOutputSerializer(FIRST_CAPACITY_BYTES);
    private int rows;
    private boolean timerSet;

    ClickHouseWriter(
            ClickHouseTarget target,
            TableLayout layout,
            ClickHouseSink.Rows<T> rowsOf,
            WriterInitContext context) {
        this.target = target;
        this.layout = layout;
        this.rowsOf = rowsOf;
        this.insert = new ClickHouseInsert(target, layout);
        this.clock = context.getProcessingTimeService();
        this.rowsSent = context.metricGroup().getNumRecordsSendCounter();
        this.inserts = context.metricGroup().counter("clickhouse_inserts");
        this.repetitions = context.metricGroup().counter("clickhouse_insert_repetitions");
    }

    @Override
    public void write(T element, Context context) throws IOException, InterruptedException {
        layout.write(rowsOf.of(element), batch);
        rows++;
        if (rows >= target.batch().rows() || batch.length() >= target.batch().bytes()) {
            flush(false);
        } else if (!timerSet) {
            timerSet = true;
            clock.registerTimer(
                    clock.getCurrentProcessingTime() + target.batch().interval().toMillis(),
                    this::onTimer);
        }
    }

    private void onTimer(long time) throws IOException, InterruptedException {
        timerSet = false;
        flush(false);
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        if (rows == 0) {
            return;
        }
        sendUntilTaken();
        rowsSent.inc(rows);
        inserts.inc();
        rows = 0;
        batch.clear();
    }

    private void sendUntilTaken() throws IOException, InterruptedException {
        long delayMs = target.retry().delay().toMillis();
        long startedMs = System.currentTimeMillis();
        long saidMs = 0;
        while (true) {
            try {
                insert.send(batch.getSharedBuffer(), batch.length());
                if (saidMs != 0) {
                    LOG.info(
                            "{} rows are in {} after {} ms.",
                            rows,
                            layout.table(),
                            System.currentTimeMillis() - startedMs);
                }
                return;
            } catch (RefusedInsertException e) {
                String what =
                        "ClickHouse refuses "
                                + rows
                                + " rows for "
                                + layout.insertInto(target.database())
                                + ": "
                                + e.getMessage();
                LOG.error(what);
                throw new RefusedInsertException(what, e);
            } catch (IOException e) {
                repetitions.inc();
                long nowMs = System.currentTimeMillis();
                if (nowMs - saidMs > SAY_AGAIN_AFTER_MS) {
                    saidMs = nowMs;
                    LOG.warn(
                            "{} rows for {} wait since {} ms: {}",
                            rows,
                            layout.table(),
                            nowMs - startedMs,
                            e.toString());
                }
                Thread.sleep(delayMs);
                delayMs = Math.min(2 * delayMs, target.retry().delayMax().toMillis());
            }
        }
    }

    @Override
    public void close() {}
}
