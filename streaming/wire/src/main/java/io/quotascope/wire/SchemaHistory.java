package io.quotascope.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema;

/**
 * The frozen versions of a record's schema, which travel in the jar under schemas/history. A record
 * written by any of them can be read: an older collector needs no upgrade first.
 */
final class SchemaHistory {
    private SchemaHistory() {}

    /** All frozen versions of a record, the oldest first. */
    static List<Schema> of(String record) {
        List<Schema> versions = new ArrayList<>();
        for (int version = 1; ; version++) {
            String resource =
                    String.format(Locale.ROOT, "/schemas/history/%s/%04d.avsc", record, version);
            try (InputStream text = SchemaHistory.class.getResourceAsStream(resource)) {
                if (text == null) {
                    return versions;
                }
                versions.add(new Schema.Parser().parse(text));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(resource, unreadable);
            }
        }
    }
}
