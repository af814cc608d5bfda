package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.AgentConduct;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Placement;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.HostWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Bytes that a collector of an older version wrote: today's build reads them as today's twin with
 * the defaults of every field that the version did not have.
 */
class FrozenRecordsTest {
    private static final Path GOLDEN = Path.of("../../schemas/golden/avro");
    private static final Path FROZEN = GOLDEN.resolve("frozen");

    @TestFactory
    Stream<DynamicTest> records() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (String version : names(FROZEN)) {
            for (String file : names(FROZEN.resolve(version))) {
                tests.add(
                        DynamicTest.dynamicTest(version + '/' + file, () -> check(version, file)));
            }
        }
        assertThat(tests).hasSizeGreaterThanOrEqualTo(6);
        return tests.stream();
    }

    private static void check(String version, String file) throws IOException {
        if (file.startsWith("cpu_usage_window")) {
            check(version, file, CpuUsageWindow.class, "cpu_usage_window");
        } else {
            check(version, file, HostWindow.class, "host_window");
        }
    }

    private static <A extends SpecificRecord> void check(
            String version, String file, Class<A> generated, String record) throws IOException {
        Schema written = SchemaHistory.of(record).get(Integer.parseInt(version) - 1);
        A expected = JsonTwin.read(GOLDEN.resolve(file.replace(".bin", ".json")), generated);
        List<String> absent = new ArrayList<>();
        for (Schema.Field field : expected.getSchema().getFields()) {
            if (written.getField(field.name()) == null) {
                expected.put(field.pos(), SpecificData.get().getDefaultValue(field));
                absent.add(field.name());
            }
        }
        assertThat(absent).as("an older version lacks something").isNotEmpty();
        byte[] framed = Files.readAllBytes(FROZEN.resolve(version).resolve(file));
        assertThat(new SingleObject<>(generated, record).decode(framed).orElseThrow())
                .isEqualTo(expected);
    }

    @Test
    void whatAnOlderCollectorDoesNotSayIsAbsentInTheDomain() throws IOException {
        ShardWindow shard =
                Codecs.SHARD_WINDOWS.decode(bytes("cpu_usage_window_full.bin")).orElseThrow();
        assertThat(shard.placement()).isEqualTo(Placement.ABSENT);
        HostReport host = Codecs.HOST_REPORTS.decode(bytes("host_window_full.bin")).orElseThrow();
        assertThat(host.conduct()).isEqualTo(AgentConduct.UNEVENTFUL);
    }

    private static byte[] bytes(String file) throws IOException {
        return Files.readAllBytes(FROZEN.resolve("0001").resolve(file));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
