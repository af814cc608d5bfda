package io.quotascope.jobs.savings;

import static io.quotascope.jobs.savings.TotalsHarness.TURN_US;
import static io.quotascope.jobs.savings.TotalsHarness.instantUs;
import static io.quotascope.jobs.savings.TotalsHarness.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.FleetInstant;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.window.ServiceKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TotalsFunctionTest {
    private TotalsHarness operator;

    @BeforeEach
    void open() throws Exception {
        operator = TotalsHarness.begun();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private static FleetPart inClass(FleetPart part, String quotaClass) {
        ServiceKey key = part.key();
        return new FleetPart(
                new ServiceKey(key.origin(), key.cluster(), key.service(), quotaClass),
                part.team(),
                part.analysedAtUs(),
                part.part(),
                part.reservedCoresTotal(),
                part.rightSizing(),
                part.taken(),
                part.tuning(),
                part.usdPerCoreYear());
    }

    private static List<FleetTotal> totals(long minute, FleetPart... newest) {
        return FleetInstant.totals(instantUs(minute), List.of(newest), TURN_US);
    }

    @Test
    void aTotalIsOfWhatWasAnalysedUpToItsInstant() throws Exception {
        operator.read(part("a", 2, 10));
        operator.read(part("b", 9, 20));
        // Already of the next ten minutes when the first total is due.
        operator.read(part("a", 12, 30));
        operator.clock(12);
        assertThat(operator.written()).isEmpty();
        operator.clock(13);
        assertThat(operator.written())
                .isEqualTo(totals(10, part("a", 2, 10), part("b", 9, 20)))
                .hasSize(3);
        operator.clock(23);
        assertThat(operator.fleets().get(1))
                .isEqualTo(totals(20, part("a", 12, 30), part("b", 9, 20)).get(0));
    }

    @Test
    void aClassThatIsOverCountsNoLonger() throws Exception {
        FleetPart first = part("a", 2, 10);
        FleetPart other = part("b", 2, 20);
        operator.read(first);
        operator.read(other);
        // The shards of a have another quota now; b is not analysed, but is no other class either.
        FleetPart changed = inClass(part("a", 22, 30), "1000m/100ms");
        operator.read(changed);
        operator.clock(33);
        assertThat(operator.fleets()).hasSize(2);
        assertThat(operator.fleets().get(1).reservedCores()).isEqualTo(20 + 40 + 60);
        FleetPart later = inClass(part("a", 32, 30), "1000m/100ms");
        operator.read(later);
        operator.clock(43);
        assertThat(operator.fleets().get(2)).isEqualTo(totals(40, first, other, later).get(0));
        assertThat(operator.fleets().get(2).reservedCores()).isEqualTo(40 + 60);
    }

    @Test
    void theOrderOfArrivalChangesNothing() throws Exception {
        List<FleetPart> parts = new ArrayList<>();
        for (int service = 0; service < 12; service++) {
            parts.add(part("s" + service, service % 10, 10 + service));
        }
        List<FleetTotal> first = null;
        for (int seed = 0; seed < 3; seed++) {
            close();
            open();
            Collections.shuffle(parts, new Random(seed));
            for (FleetPart each : parts) {
                operator.read(each);
            }
            operator.clock(60);
            first = first == null ? operator.written() : first;
            assertThat(operator.written()).isEqualTo(first);
        }
        assertThat(first).hasSize(6);
    }

    @Test
    void nothingNewIsNoRowAndNothingIsLeftWhenNobodySaysAnythingForTwoDays() throws Exception {
        operator.read(part("a", 2, 10));
        operator.clock(13);
        operator.clock(600);
        assertThat(operator.fleets()).hasSize(1);
        assertThat(operator.isEmpty()).isFalse();
        operator.clock(48 * 60);
        assertThat(operator.isEmpty()).as("the rollup may lie behind").isFalse();
        operator.clock(50 * 60);
        assertThat(operator.fleets()).hasSize(1);
        assertThat(operator.isEmpty()).isTrue();
        assertThat(operator.timers()).isZero();
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        operator.read(part("a", 2, 10));
        operator = TotalsHarness.after(operator);
        operator.read(part("b", 9, 20));
        operator.clock(13);
        assertThat(operator.fleets()).singleElement().extracting(FleetTotal::services).isEqualTo(2);
        operator = TotalsHarness.after(operator);
        operator.read(part("c", 8, 20), 14);
        operator.clock(20);
        assertThat(operator.fleets()).singleElement().extracting(FleetTotal::services).isEqualTo(3);
    }
}
