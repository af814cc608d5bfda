package io.quotascope.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Which estimates are in which total. */
final class FleetJudgementsTest {
    private static final long MINUTE_US = 60_000_000L;
    private static final long HOUR = 60;

    private final FleetJudgements fleet = new FleetJudgements(10 * MINUTE_US);

    private void add(Origin origin, String service, long minute, long part, double reserved) {
        fleet.add(
                new FleetPart(
                        new ServiceKey(origin, "lab", service, "2000m/100ms"),
                        Optional.empty(),
                        minute * MINUTE_US,
                        part,
                        OptionalDouble.of(reserved),
                        Optional.of(new Estimate(1, 0, 2)),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalDouble.empty()));
    }

    /** Minute and reserved cores of every total of an origin. */
    private List<String> fleets(Origin origin) {
        return fleet.totals().stream()
                .filter(total -> total.origin() == origin && total.of() == FleetTotal.Of.FLEET)
                .map(total -> total.analysedAtUs() / MINUTE_US + ": " + total.reservedCores())
                .toList();
    }

    @Test
    void theNewestEstimateUpToAnInstantCounts() {
        add(Origin.SIMULATED, "b", 10, 0, 200);
        add(Origin.SIMULATED, "a", 11, 0, 2);
        add(Origin.SIMULATED, "a", 4, 0, 1);
        add(Origin.SIMULATED, "a", 20, 0, 3);
        add(Origin.MEASURED, "a", 5, 0, 77);
        assertThat(fleets(Origin.SIMULATED)).containsExactly("10: 201.0", "20: 203.0");
        assertThat(fleets(Origin.MEASURED)).containsExactly("10: 77.0");
    }

    @Test
    void aMinuteThatWasAnalysedAgainCountsByItsLastParts() {
        add(Origin.SIMULATED, "a", 4, 3, 30);
        add(Origin.SIMULATED, "a", 4, 5, 50);
        add(Origin.SIMULATED, "a", 4, 0, 1);
        assertThat(fleets(Origin.SIMULATED)).containsExactly("10: 50.0");
    }

    @Test
    void anEstimateOfTheDayBeforeSaysNothingOfToday() {
        add(Origin.SIMULATED, "a", 4, 0, 1);
        add(Origin.SIMULATED, "b", 24 * HOUR, 0, 20);
        add(Origin.SIMULATED, "b", 24 * HOUR + 10, 0, 20);
        assertThat(fleets(Origin.SIMULATED)).containsExactly("10: 1.0", "1440: 21.0", "1450: 20.0");
    }
}
