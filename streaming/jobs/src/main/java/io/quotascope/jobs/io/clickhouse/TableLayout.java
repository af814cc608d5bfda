package io.quotascope.jobs.io.clickhouse;

import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * Which columns a table has and how a row becomes RowBinary. Columns are the fields of the record's
 * Avro schema, so a field is stated in {@code schemas/} and nowhere else; what a table leaves out
 * or adds is said in {@link Table}.
 */
public final class TableLayout {

    /**
     * @param name column
     * @param type ClickHouse type without LowCardinality, which RowBinary does not show
     */
    public record Column(String name, String type) {}

    private final String table;
    private final List<Column> columns = new ArrayList<>();
    private final List<Integer> positions = new ArrayList<>();
    private final List<CellWriter> fieldWriters = new ArrayList<>();
    private final List<CellWriter> addedWriters = new ArrayList<>();

    TableLayout(String table, Schema schema, Set<String> leftOut, List<Column> added) {
        this.table = table;
        for (Schema.Field field : schema.getFields()) {
            if (!leftOut.contains(field.name())) {
                ColumnType type = ColumnType.of(field);
                columns.add(new Column(type.column(), type.type()));
                positions.add(field.pos());
                fieldWriters.add(type.writer());
            }
        }
        for (Column column : added) {
            columns.add(column);
            addedWriters.add(ColumnType.writerOf(column.type()));
        }
    }

    /** Name without the database. */
    public String table() {
        return table;
    }

    /** Columns in the order of the row's bytes. */
    public List<Column> columns() {
        return List.copyOf(columns);
    }

    /** The statement whose body are rows. */
    String insertInto(String database) {
        String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
        return "INSERT INTO " + database + "." + table + " (" + names + ") FORMAT RowBinary";
    }

    /** Appends one row. */
    void write(TableRow row, DataOutput out) throws IOException {
        for (int i = 0; i < fieldWriters.size(); i++) {
            fieldWriters.get(i).write(row.record().get(positions.get(i)), out);
        }
        if (row.added().size() != addedWriters.size()) {
            throw new IllegalArgumentException(
                    table
                            + " adds "
                            + addedWriters.size()
                            + " columns, the row has "
                            + row.added().size());
        }
        for (int i = 0; i < addedWriters.size(); i++) {
            addedWriters.get(i).write(row.added().get(i), out);
        }
    }
}
