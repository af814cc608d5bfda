package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.HostWindow;
import io.quotascope.wire.avro.ShardIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every language encodes the same twin to the same bytes and reads what the other wrote. A missing
 * file fails.
 */
class GoldenAvroTest {
    private static final Path FOLDER = Path.of("../../schemas/golden/avro");
    private static final List<String> CASES = List.of("full", "typical", "all-nulls");

    private record Golden<A extends SpecificRecord>(
            String name, Class<A> generated, RecordCodec<?> codec) {}

    private static final List<Golden<?>> RECORDS =
            List.of(
                    new Golden<>("cpu_usage_window", CpuUsageWindow.class, Codecs.SHARD_WINDOWS),
                    new Golden<>("host_window", HostWindow.class, Codecs.HOST_REPORTS),
                    new Golden<>("shard_identity", ShardIdentity.class, Codecs.SHARD_IDENTITIES));

    @TestFactory
    Stream<DynamicTest> records() {
        return RECORDS.stream()
                .flatMap(
                        golden ->
                                CASES.stream()
                                        .map(
                                                situation ->
                                                        DynamicTest.dynamicTest(
                                                                golden.name() + "_" + situation,
                                                                () ->
                                                                        check(
                                                                                golden,
                                                                                golden.name()
                                                                                        + "_"
                                                                                        + situation))));
    }

    private static <A extends SpecificRecord> void check(Golden<A> golden, String file)
            throws IOException {
        SingleObject<A> format = new SingleObject<>(golden.generated(), golden.name());
        A twin = JsonTwin.read(FOLDER.resolve(file + ".json"), golden.generated());
        byte[] encoded = format.encode(twin);
        Path own = FOLDER.resolve("java").resolve(file + ".bin");
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(own.getParent());
            Files.write(own, encoded);
        }
        assertThat(hex(encoded)).as("Java's own").isEqualTo(hex(Files.readAllBytes(own)));
        byte[] go = Files.readAllBytes(FOLDER.resolve("go").resolve(file + ".bin"));
        assertThat(hex(encoded)).as("Go's").isEqualTo(hex(go));
        assertThat(format.decode(go).orElseThrow()).as("Go's, read").isEqualTo(twin);
        assertThat(hex(throughDomain(golden.codec(), go)))
                .as("through the domain")
                .isEqualTo(hex(go));
    }

    private static <D> byte[] throughDomain(RecordCodec<D> codec, byte[] framed) {
        return codec.encode(codec.decode(framed).orElseThrow());
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
