package io.quotascope.jobs.io.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.jobs.io.kafka.KafkaOptions;
import io.quotascope.jobs.io.tick.TickOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.ReadableConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobArgumentsTest {
    @TempDir Path folder;

    @Test
    void pairsWinOverTheFile() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("jobs.properties"),
                        "kafka.bootstrap=a:1\ntick.interval=2 s\nrank.horizon-minutes=5\n");
        ReadableConfig config =
                JobArguments.parse("--config", file.toString(), "--kafka.bootstrap", "b:2");
        assertThat(config.get(KafkaOptions.BOOTSTRAP)).isEqualTo("b:2");
        assertThat(config.get(TickOptions.INTERVAL)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void namesAnUnknownOptionAndTheOneThatWasMeant() {
        assertThatThrownBy(() -> JobArguments.parse("--kafka.boot-strap", "a:1"))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("unknown option kafka.boot-strap (is it kafka.bootstrap?)");
    }

    @Test
    void namesAnUnknownOptionOfTheFile() throws Exception {
        Path file = Files.writeString(folder.resolve("jobs.properties"), "tick.cadence=2 s\n");
        assertThatThrownBy(() -> JobArguments.parse("--config", file.toString()))
                .hasMessageContaining("unknown option tick.cadence");
    }

    @Test
    void namesAnOptionWhoseValueHasTheWrongType() {
        assertThatThrownBy(() -> JobArguments.parse("--rank.horizon-minutes", "ten"))
                .hasMessageContaining("option rank.horizon-minutes cannot be ten");
        assertThatThrownBy(() -> JobArguments.parse("--tick.interval", "soon"))
                .hasMessageContaining("option tick.interval cannot be soon");
    }

    @Test
    void namesWhatIsMissing() {
        assertThatThrownBy(() -> JobArguments.parse("--kafka.bootstrap"))
                .hasMessageContaining("--kafka.bootstrap has no value");
        assertThatThrownBy(() -> JobArguments.parse("kafka.bootstrap", "a:1"))
                .hasMessageContaining("expected --key value, found kafka.bootstrap");
        assertThatThrownBy(() -> JobArguments.parse("--config", folder.resolve("none").toString()))
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> Required.get(JobArguments.parse(), KafkaOptions.BOOTSTRAP))
                .hasMessageContaining("option kafka.bootstrap is missing");
        assertThatThrownBy(() -> SharedOptions.revision(JobArguments.parse("--revision", "0")))
                .hasMessageContaining("option revision must be at least 1");
    }
}
