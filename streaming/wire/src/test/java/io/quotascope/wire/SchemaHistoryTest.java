package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Today's schemas read everything that was ever frozen, and what was frozen stays as it was. */
class SchemaHistoryTest {
    private static final Path SCHEMAS = Path.of("../../schemas");
    private static final Path HISTORY = SCHEMAS.resolve("history");

    static List<String> records() throws IOException {
        try (Stream<Path> files = Files.list(SCHEMAS)) {
            List<String> records =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".avsc"))
                            .map(name -> name.substring(0, name.length() - ".avsc".length()))
                            .sorted()
                            .toList();
            assertThat(records).hasSizeGreaterThanOrEqualTo(8);
            return records;
        }
    }

    @ParameterizedTest
    @MethodSource("records")
    void todaysSchemaReadsEveryFrozenVersion(String record) throws IOException {
        assertReads(parsed(SCHEMAS.resolve(record + ".avsc")), frozen(record));
    }

    @ParameterizedTest
    @MethodSource("records")
    void everyVersionReadsAllBeforeIt(String record) throws IOException {
        List<Schema> versions = frozen(record);
        for (int reader = 0; reader < versions.size(); reader++) {
            assertReads(versions.get(reader), versions.subList(0, reader + 1));
        }
    }

    private static void assertReads(Schema reader, List<Schema> writers) {
        for (Schema writer : writers) {
            assertThat(
                            SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
                                    .getResult()
                                    .getIncompatibilities())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("records")
    void todaysSchemaIsTheNewestFrozenOne(String record) throws IOException {
        List<Schema> frozen = frozen(record);
        assertThat(frozen).as("a change needs a new file in history/%s", record).isNotEmpty();
        // the text with its docs, and not only the canonical form: a doc is part of the contract
        assertThat(parsed(SCHEMAS.resolve(record + ".avsc")).toString())
                .isEqualTo(frozen.get(frozen.size() - 1).toString());
    }

    @ParameterizedTest
    @MethodSource("records")
    void theJarCarriesEveryFrozenVersion(String record) throws IOException {
        assertThat(SchemaHistory.of(record)).isEqualTo(frozen(record));
    }

    @Test
    void frozenFilesAreWhatTheyWere() throws IOException, NoSuchAlgorithmException {
        Map<String, String> listed = new TreeMap<>();
        for (String line : Files.readAllLines(HISTORY.resolve("SHA256SUMS"))) {
            String[] parts = line.split(" {2}", 2);
            assertThat(listed.put(parts[1], parts[0])).as("%s is listed once", parts[1]).isNull();
        }
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(HISTORY)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".avsc")).toList()) {
                byte[] digest =
                        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                found.put(HISTORY.relativize(file).toString(), HexFormat.of().formatHex(digest));
            }
        }
        assertThat(found).isEqualTo(listed);
    }

    @ParameterizedTest
    @MethodSource("records")
    void everyFieldSaysWhatItIsAndWhatItsNullMeans(String record) throws IOException {
        assertDocumented(parsed(SCHEMAS.resolve(record + ".avsc")));
    }

    private static void assertDocumented(Schema schema) {
        assertThat(schema.getDoc()).as(schema.getFullName()).isNotBlank();
        for (Schema.Field field : schema.getFields()) {
            assertThat(field.doc()).as("%s.%s", schema.getName(), field.name()).isNotBlank();
            if (field.schema().isUnion()) {
                assertThat(field.schema().getTypes().get(0).getType()).isEqualTo(Schema.Type.NULL);
                assertThat(field.hasDefaultValue()).as("%s has a default", field.name()).isTrue();
                assertThat(field.doc())
                        .as("%s says what null means", field.name())
                        .contains("Null:");
            }
        }
    }

    @Test
    void aFieldWithoutDefaultWouldBeFound() throws IOException {
        // the check can fail: a reader that demands what no frozen writer sent is incompatible
        String text = Files.readString(SCHEMAS.resolve("service_catalog_entry.avsc"));
        int fields = text.indexOf("\"fields\": [") + "\"fields\": [".length();
        Schema demanding =
                new Schema.Parser()
                        .parse(
                                text.substring(0, fields)
                                        + "{\"name\": \"added\", \"type\": \"long\"},"
                                        + text.substring(fields));
        assertThat(
                        SchemaCompatibility.checkReaderWriterCompatibility(
                                        demanding,
                                        parsed(SCHEMAS.resolve("service_catalog_entry.avsc")))
                                .getType())
                .isEqualTo(SchemaCompatibilityType.INCOMPATIBLE);
    }

    private static List<Schema> frozen(String record) throws IOException {
        List<Path> files;
        try (Stream<Path> listed = Files.list(HISTORY.resolve(record))) {
            files = listed.sorted().toList();
        }
        List<Schema> versions = new ArrayList<>();
        for (Path file : files) {
            assertThat(file.getFileName())
                    .hasToString(String.format("%04d.avsc", versions.size() + 1));
            versions.add(parsed(file));
        }
        return versions;
    }

    private static Schema parsed(Path file) throws IOException {
        return new Schema.Parser().parse(file.toFile());
    }
}
