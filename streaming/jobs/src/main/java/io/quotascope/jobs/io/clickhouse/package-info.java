/**
 * Rows on their way to ClickHouse: layout from the Avro schemas, RowBinary, synchronous inserts
 * repeated until taken. Pinned by {@code TableColumnsTest} and {@code ClickHouseWriterTest}.
 */
package io.quotascope.jobs.io.clickhouse;
