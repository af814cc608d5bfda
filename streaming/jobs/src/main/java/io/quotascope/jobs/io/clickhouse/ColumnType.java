package io.quotascope.jobs.io.clickhouse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * What a field of an Avro record is in ClickHouse: the one home of that correspondence. {@code
 * window_start_us} and the other instants of {@code INSTANTS} lose their suffix; {@code part} and
 * {@code version} are unsigned; everything else keeps name and width.
 *
 * @param column name of the column
 * @param type ClickHouse type
 * @param writer how a value is written
 */
record ColumnType(String column, String type, CellWriter writer) {
    static final String INSTANT_US = "DateTime64(6, 'UTC')";
    private static final Set<String> INSTANTS =
            Set.of(
                    "window_start_us",
                    "since_us",
                    "observed_at_us",
                    "changed_at_us",
                    "state_at_us",
                    "proposed_at_us",
                    "accepted_at_us",
                    "applied_at_us",
                    "first_heard_us",
                    "heard_until_us");
    static final String INSTANT_MS = "DateTime64(3, 'UTC')";

    /**
     * @throws IllegalArgumentException if the schema has a form that no table has yet
     */
    static ColumnType of(Schema.Field field) {
        String name = field.name();
        if (INSTANTS.contains(name)) {
            String column = name.substring(0, name.length() - "_us".length());
            return field.schema().getType() == Schema.Type.UNION
                    ? named(column, "Nullable(" + INSTANT_US + ")")
                    : named(column, INSTANT_US);
        }
        return switch (name) {
            case "part" -> named("part", "UInt32");
            case "version" -> named("version", "UInt64");
            default -> new ColumnType(name, typeOf(field.schema()), writerOf(field.schema()));
        };
    }

    private static ColumnType named(String column, String type) {
        return new ColumnType(column, type, writerOf(type));
    }

    /** The writer of a scalar type by its name. */
    static CellWriter writerOf(String type) {
        return switch (type) {
            case INSTANT_US, INSTANT_MS, "Int64", "UInt64" ->
                    (value, out) -> RowBinary.writeLong(((Number) value).longValue(), out);
            case "UInt32", "Int32" ->
                    (value, out) -> RowBinary.writeInt(((Number) value).intValue(), out);
            case "Nullable(Int64)", "Nullable(" + INSTANT_US + ")" ->
                    RowBinary.nullable(writerOf("Int64"));
            case "String" -> RowBinary::writeText;
            default ->
                    throw new IllegalArgumentException("no column of type " + type + " is known");
        };
    }

    private static String typeOf(Schema schema) {
        return switch (schema.getType()) {
            case STRING, ENUM, BYTES -> "String";
            case INT -> "Int32";
            case LONG -> "Int64";
            case DOUBLE -> "Float64";
            case BOOLEAN -> "Bool";
            case UNION ->
                    isArray(present(schema))
                            ? typeOf(present(schema))
                            : "Nullable(" + typeOf(present(schema)) + ")";
            case ARRAY -> "Array(" + typeOf(schema.getElementType()) + ")";
            case MAP -> "Map(String, " + typeOf(schema.getValueType()) + ")";
            case RECORD ->
                    schema.getFields().stream()
                            .map(field -> field.name() + " " + typeOf(field.schema()))
                            .collect(Collectors.joining(", ", "Tuple(", ")"));
            case FLOAT, FIXED, NULL ->
                    throw new IllegalArgumentException(
                            "no column holds Avro type " + schema.getType());
        };
    }

    private static CellWriter writerOf(Schema schema) {
        return switch (schema.getType()) {
            case STRING, ENUM -> RowBinary::writeText;
            case BYTES -> RowBinary::writeBytes;
            case INT -> (value, out) -> RowBinary.writeInt((Integer) value, out);
            case LONG -> (value, out) -> RowBinary.writeLong((Long) value, out);
            case DOUBLE ->
                    (value, out) ->
                            RowBinary.writeLong(Double.doubleToRawLongBits((Double) value), out);
            case BOOLEAN -> (value, out) -> out.writeByte((Boolean) value ? 1 : 0);
            case UNION ->
                    isArray(present(schema))
                            ? presentOrEmpty(writerOf(present(schema)))
                            : RowBinary.nullable(writerOf(present(schema)));
            case ARRAY -> RowBinary.array(writerOf(schema.getElementType()));
            case MAP -> RowBinary.map(writerOf(schema.getValueType()));
            case RECORD -> tuple(schema);
            case FLOAT, FIXED, NULL ->
                    throw new IllegalArgumentException(
                            "no column holds Avro type " + schema.getType());
        };
    }

    /** ClickHouse has no nullable array: one that is not there is empty, and its column says so. */
    private static CellWriter presentOrEmpty(CellWriter array) {
        return (value, out) -> array.write(value == null ? List.of() : value, out);
    }

    private static boolean isArray(Schema schema) {
        return schema.getType() == Schema.Type.ARRAY;
    }

    private static CellWriter tuple(Schema schema) {
        List<CellWriter> writers = new ArrayList<>();
        schema.getFields().forEach(field -> writers.add(writerOf(field.schema())));
        return RowBinary.tuple(writers);
    }

    /** The type beside null; unions of ours have no other form. */
    private static Schema present(Schema union) {
        List<Schema> types = union.getTypes();
        if (types.size() != 2 || types.get(0).getType() != Schema.Type.NULL) {
            throw new IllegalArgumentException(
                    "only unions of null and one type have a column, found " + union);
        }
        return types.get(1);
    }
}
