package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Arrows that must not leave this module, each with its reason. */
class ArrowsTest {
    private static final Map<String, String> BANNED =
            Map.of(
                    "org.apache.flink", "the wire serves tools that have no Flink",
                    "org.apache.kafka", "bytes come from anywhere, not only from a topic",
                    "java.net.", "schemas travel in the jar; no registry to be down",
                    "System.currentTimeMillis", "a record's time is in the record and in the log");

    @Test
    void noSourceNamesWhatItMustNotKnow() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(10);
            for (Path source : sources) {
                String text = Files.readString(source);
                BANNED.forEach(
                        (use, reason) ->
                                assertThat(text).as("%s: %s", source, reason).doesNotContain(use));
            }
        }
    }

    /** A schema's text has one home, the schemas folder. */
    @Test
    void noSourceHoldsASchema() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path source : files.filter(file -> file.toString().endsWith(".java")).toList()) {
                assertThat(Files.readString(source))
                        .as("%s", source)
                        .doesNotContain("\"record\\\"", "SchemaBuilder");
            }
        }
    }
}
