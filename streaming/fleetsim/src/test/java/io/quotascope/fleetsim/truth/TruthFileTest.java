package io.quotascope.fleetsim.truth;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.fleetsim.fleet.Change;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.FleetSettings;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.minute.MinuteState;
import io.quotascope.fleetsim.minute.ServiceMinutes;
import io.quotascope.fleetsim.minute.ServiceRows;
import io.quotascope.fleetsim.template.Templates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The truth that is written is what was injected. */
final class TruthFileTest {
    private static final FleetSettings SETTINGS =
            new FleetSettings(5, 20, 60, 20_000 * FleetSettings.DAY_US, 2);
    private static final Fleet FLEET = Fleet.draw(SETTINGS);

    @TempDir private Path folder;

    private interface Writing {
        void to(TruthFile file) throws IOException;
    }

    private List<JsonNode> lines(Writing writing) throws IOException {
        Path path = folder.resolve("below").resolve("truth.jsonl");
        try (TruthFile file = new TruthFile(path)) {
            writing.to(file);
        }
        ObjectMapper json = new ObjectMapper();
        return Files.readAllLines(path).stream().map(line -> read(json, line)).toList();
    }

    private static JsonNode read(ObjectMapper json, String line) {
        try {
            return json.readTree(line);
        } catch (IOException e) {
            throw new IllegalStateException(line, e);
        }
    }

    private static Stream<JsonNode> of(List<JsonNode> lines, String record) {
        return lines.stream().filter(line -> line.get("record").asText().equals(record));
    }

    @Test
    void everyServiceHostAndSilenceIsToldAsItIs() throws IOException {
        List<JsonNode> lines = lines(file -> file.write(FLEET));
        assertThat(of(lines, "fleet")).singleElement().matches(l -> l.get("seed").asLong() == 5);
        assertThat(of(lines, "silence")).hasSize(FLEET.silences().size());
        assertThat(of(lines, "host").filter(line -> line.get("faulty_kernel").asBoolean()))
                .hasSize(
                        (int)
                                FLEET.hosts().stream()
                                        .filter(host -> host.kernel().faulty())
                                        .count());
        List<JsonNode> services = of(lines, "service").toList();
        for (int number = 0; number < services.size(); number++) {
            Service service = FLEET.services().get(number);
            JsonNode line = services.get(number);
            assertThat(line.get("service").asText()).isEqualTo(service.name());
            assertThat(line.get("flaw").asText()).isEqualTo(service.kind().flaw().label());
            boolean mended =
                    service.change().filter(c -> !c.before().equals(c.after())).isPresent();
            assertThat(line.get("mistuned_at_end").asBoolean())
                    .isEqualTo(service.kind().flaw().mistuned() && !mended);
        }
        assertThat(services.stream().filter(l -> l.get("mistuned_at_end").asBoolean()))
                .isNotEmpty();
        assertThat(services.stream().filter(l -> l.has("end_quota_us"))).isNotEmpty();
    }

    @Test
    void theEffectOfAChangeIsTheDifferenceToTheSameMinutesWithoutIt() throws IOException {
        Service service =
                FLEET.services().stream()
                        .filter(each -> each.change().filter(c -> !c.declared()).isPresent())
                        .findFirst()
                        .orElseThrow();
        Change change = service.change().orElseThrow();
        ServiceRows rows =
                new ServiceRows(new ServiceMinutes(FLEET, service, new Templates(SETTINGS.seed())));
        long minuteUs = change.atUs() + FleetSettings.HOUR_US;
        MinuteState state = rows.minutes().stateAt(minuteUs);
        ServiceSums with = rows.sums(state, minuteUs);
        ServiceSums without = rows.sums(state.under(change.before()), minuteUs);
        ChangeEffect effect = new ChangeEffect();
        effect.add(minuteUs, with, without);
        effect.add(minuteUs + 1, with, with);
        JsonNode line = lines(file -> file.write(service, change, effect)).get(0);
        assertThat(line.get("hours")).hasSize(1);
        JsonNode hour = line.get("hours").get(0);
        assertThat(hour.get("usage_us").asLong()).isEqualTo(2 * with.usage().usageUs());
        assertThat(hour.get("usage_us_without").asLong())
                .isEqualTo(without.usage().usageUs() + with.usage().usageUs());
        assertThat(line.get("after_quota_us").asLong()).isEqualTo(change.after().quotaUs());
        assertThat(with.key().quotaClass()).isNotEqualTo(without.key().quotaClass());
    }

    @Test
    void hoursCountWhatWasStatedArrivedAndMute() throws IOException {
        SentHour hour = SentHour.of(0).plus(60, 54, 6).plus(60, 60, 0);
        assertThat(hour).isEqualTo(new SentHour(0, 120, 114, 6));
        assertThat(hour.lacks()).isTrue();
        assertThat(SentHour.of(0).plus(6, 6, 0).lacks()).isFalse();
        JsonNode line =
                lines(file -> file.write(FLEET.services().get(0), "1000m/100ms", hour)).get(0);
        assertThat(line.get("arrived").asLong()).isEqualTo(114);
        assertThat(line.get("stated").asLong()).isEqualTo(120);
    }
}
