package io.quotascope.jobs.io.clickhouse;

import java.io.DataOutput;
import java.io.IOException;

/** Writes one value of a column in ClickHouse's RowBinary form. */
interface CellWriter {
    void write(Object value, DataOutput out) throws IOException;
}
