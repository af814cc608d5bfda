package io.quotascope.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Reads the readable form of a golden record, as schemas/golden/avro/README.md states it. */
final class JsonTwin {
    private JsonTwin() {}

    static <A extends SpecificRecord> A read(Path file, Class<A> generated) throws IOException {
        Schema schema = SpecificData.get().getSchema(generated);
        return generated.cast(record(schema, new ObjectMapper().readTree(file.toFile())));
    }

    private static SpecificRecord record(Schema schema, JsonNode twin) {
        if (twin.size() != schema.getFields().size()) {
            throw new IllegalArgumentException(
                    "the twin states every field of " + schema.getName() + " and no other");
        }
        SpecificRecord record =
                (SpecificRecord)
                        SpecificData.newInstance(SpecificData.get().getClass(schema), schema);
        for (Schema.Field field : schema.getFields()) {
            record.put(field.pos(), value(field.schema(), twin.required(field.name())));
        }
        return record;
    }

    private static Object value(Schema schema, JsonNode twin) {
        return switch (schema.getType()) {
            case RECORD -> record(schema, twin);
            case UNION -> twin.isNull() ? null : value(schema.getTypes().get(1), twin);
            case ARRAY -> array(schema, twin);
            case MAP -> map(schema, twin);
            case BYTES -> ByteBuffer.wrap(HexFormat.of().parseHex(twin.textValue()));
            case STRING -> twin.textValue();
            case INT -> Math.toIntExact(twin.longValue());
            case LONG -> twin.longValue();
            case DOUBLE -> twin.doubleValue();
            case BOOLEAN -> twin.booleanValue();
            case ENUM -> SpecificData.get().createEnum(twin.textValue(), schema);
            case FIXED, FLOAT, NULL ->
                    throw new IllegalArgumentException("no record of ours has " + schema);
        };
    }

    private static List<Object> array(Schema schema, JsonNode twin) {
        List<Object> items = new ArrayList<>();
        twin.forEach(item -> items.add(value(schema.getElementType(), item)));
        return items;
    }

    private static Map<String, Object> map(Schema schema, JsonNode twin) {
        Map<String, Object> entries = new TreeMap<>();
        twin.fields()
                .forEachRemaining(
                        entry ->
                                entries.put(
                                        entry.getKey(),
                                        value(schema.getValueType(), entry.getValue())));
        return entries;
    }
}
