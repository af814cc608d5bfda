package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.Codecs;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * What every judging job reads.
 *
 * @param rows service windows, with the clock of their topic
 * @param catalog catalog entries, with a clock that holds nothing back
 * @param deadLetters messages of the two topics that are no record of theirs
 */
public record JudgingInput(
        DataStream<ServiceWindow> rows,
        DataStream<ServiceCatalogEntry> catalog,
        DataStream<DeadLetter> deadLetters) {

    /** How the state of every judging job becomes bytes. */
    public static final JudgingFunction.StateTypes STATE =
            new JudgingFunction.StateTypes(
                    new ByteFormType<>(new MergedPartsForm()),
                    new ByteFormType<>(new CatalogEntryForm()));

    /** Decodes the messages of the two topics. */
    public static JudgingInput of(DataStream<LogRecord> rows, DataStream<LogRecord> catalog) {
        SingleOutputStreamOperator<ServiceWindow> decodedRows =
                rows.forward()
                        .process(
                                new DecodeFunction<>(
                                        framed -> Codecs.SERVICE_WINDOWS.decode(framed)),
                                new ByteFormType<>(new ServiceWindowForm()))
                        .uid("decode-service-windows")
                        .name("decode service windows")
                        // Any other parallelism would let parts of one minute overtake each other,
                        // and the slower ones would be taken for repetitions.
                        .setParallelism(rows.getParallelism());
        SingleOutputStreamOperator<ServiceCatalogEntry> decodedCatalog =
                catalog.forward()
                        .process(
                                new DecodeFunction<>(
                                        framed -> Codecs.CATALOG_ENTRIES.decode(framed)),
                                new ByteFormType<>(new CatalogEntryForm()))
                        .uid("decode-service-catalog")
                        .name("decode catalog")
                        .setParallelism(1);
        return new JudgingInput(
                decodedRows,
                decodedCatalog,
                decodedRows
                        .getSideOutput(DecodeFunction.DEAD_LETTERS)
                        .union(decodedCatalog.getSideOutput(DecodeFunction.DEAD_LETTERS)));
    }

    /**
     * Runs a function over the rows of each service and class, with the catalog beside it.
     *
     * @param uid identity of the operator in savepoints
     * @param function the job's own
     * @param type of what it emits
     */
    public <J, O> DataStream<O> judge(
            String uid, JudgingFunction<J, O> function, TypeInformation<O> type) {
        return rows.keyBy(row -> KeyText.of(row.sums().key()), Types.STRING)
                .connect(catalog.broadcast(STATE.catalog()))
                .process(function, type)
                .uid(uid)
                .name(uid);
    }
}
