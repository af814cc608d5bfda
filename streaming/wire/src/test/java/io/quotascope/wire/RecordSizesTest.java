package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordSizesTest {
    private static final Path GOLDEN = Path.of("../../schemas/golden/avro/java");

    private static String printed(List<byte[]> messages) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        RecordSizes.print(messages, new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyRecordOfAFolderIsCounted() throws IOException {
        assertThat(printed(RecordSizes.messages(GOLDEN)))
                .contains(
                        "CpuUsageWindow: 3 records",
                        "HostWindow: 3 records",
                        "ShardIdentity: 3 records")
                .contains("1 identity", "4 second order", "8 optional");
    }

    @Test
    void aFileOfMessagesReadsLikeAFolderOfThem(@TempDir Path folder) throws IOException {
        List<byte[]> messages = RecordSizes.messages(GOLDEN);
        Path file = folder.resolve("recorded");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            for (byte[] message : messages) {
                out.writeInt(message.length);
                out.write(message);
            }
        }
        assertThat(printed(RecordSizes.messages(file))).isEqualTo(printed(messages));
        Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), 20));
        assertThatThrownBy(() -> RecordSizes.messages(file)).isInstanceOf(IOException.class);
    }

    /** Groups leave out nothing: they add up to the frames without their ten bytes of header. */
    @Test
    void theGroupsAddUpToTheRecord() throws IOException {
        byte[] message = Files.readAllBytes(GOLDEN.resolve("cpu_usage_window_full.bin"));
        double sum =
                printed(List.of(message))
                        .lines()
                        .skip(1)
                        .mapToDouble(
                                line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                        .sum();
        assertThat(sum).isEqualTo(message.length - 10.0);
    }

    @Test
    void whatIsNoRecordIsAnError() {
        assertThatThrownBy(() -> printed(List.of(new byte[] {1, 2})))
                .isInstanceOf(IOException.class);
    }
}
