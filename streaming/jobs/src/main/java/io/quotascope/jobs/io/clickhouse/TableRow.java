package io.quotascope.jobs.io.clickhouse;

import java.util.List;
import org.apache.avro.generic.IndexedRecord;

/**
 * One row: a record and the values of the table's columns that are not fields of it.
 *
 * @param record the record
 * @param added values of {@link TableLayout}'s added columns, in their order
 */
public record TableRow(IndexedRecord record, List<Object> added) {

    /** A row of nothing but the record. */
    public static TableRow of(IndexedRecord record) {
        return new TableRow(record, List.of());
    }
}
