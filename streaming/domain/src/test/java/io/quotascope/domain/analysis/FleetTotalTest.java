package io.quotascope.domain.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FleetTotalTest {
    private static FleetPart part(
            String cluster, String service, String team, boolean measured, double deviation) {
        return new FleetPart(
                new ServiceKey(Origin.MEASURED, cluster, service, "2000m/100ms"),
                Optional.ofNullable(team),
                1_000,
                OptionalDouble.of(20),
                Optional.of(new Estimate(2, 1, 3)),
                // Twice the load on 10 needed cores frees 5.
                Optional.of(new FleetSavings.Part(2, deviation, 10, 1, measured, 1)),
                OptionalDouble.of(300));
    }

    private static List<FleetPart> fleet(boolean measured, double deviation) {
        List<FleetPart> parts = new ArrayList<>();
        for (int at = 0; at < 40; at++) {
            parts.add(
                    part(
                            at < 10 ? "small" : "large",
                            "s" + at,
                            at % 2 == 0 ? "payments" : null,
                            measured,
                            deviation));
        }
        return parts;
    }

    @Test
    void withoutErrorsATotalIsAPlainSum() {
        List<FleetTotal> totals = FleetTotal.all(Origin.MEASURED, 7, fleet(true, 0));
        assertThat(totals)
                .extracting(FleetTotal::name)
                .containsExactly("fleet", "large", "small", "payments");
        FleetTotal all = totals.get(0);
        assertThat(all.services()).isEqualTo(40);
        assertThat(all.reservedCores()).isEqualTo(800);
        assertThat(all.reclaimable().value()).isCloseTo(200, within(1e-9));
        assertThat(all.reclaimable().low()).isCloseTo(200, within(1e-9));
        assertThat(all.usdPerYear().orElseThrow().value()).isCloseTo(60_000, within(1e-6));
        assertThat(all.rightSizing()).isEqualTo(new Estimate(80, 40, 120));
        assertThat(totals.get(2).reclaimable().value()).isCloseTo(50, within(1e-9));
        assertThat(totals.get(3).reclaimable().value()).isCloseTo(100, within(1e-9));
        assertThat(all.reasons()).isEmpty();
    }

    @Test
    void errorsInCommonDoNotCancelOut() {
        FleetTotal prior = FleetTotal.all(Origin.MEASURED, 7, fleet(false, 0.3)).get(0);
        FleetTotal measured = FleetTotal.all(Origin.MEASURED, 7, fleet(true, 0.3)).get(0);
        double wide = prior.reclaimable().high() - prior.reclaimable().low();
        double narrow = measured.reclaimable().high() - measured.reclaimable().low();
        assertThat(wide).isGreaterThan(3 * narrow);
        assertThat(prior.reasons().get(0)).startsWith("40 of 40 estimates lean on one prior");
    }

    @Test
    void theOrderOfServicesChangesNothing() {
        List<FleetPart> parts = fleet(false, 0.3);
        List<FleetTotal> inOrder = FleetTotal.all(Origin.MEASURED, 7, parts);
        Collections.shuffle(parts, new Random(3));
        assertThat(FleetTotal.all(Origin.MEASURED, 7, parts)).isEqualTo(inOrder);
    }

    @Test
    void whatIsNotKnownAddsNothingAndIsCounted() {
        FleetPart unknown =
                new FleetPart(
                        new ServiceKey(Origin.MEASURED, "c", "dark", "unlimited"),
                        Optional.empty(),
                        1_000,
                        OptionalDouble.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalDouble.empty());
        FleetTotal only = FleetTotal.all(Origin.MEASURED, 7, List.of(unknown)).get(0);
        assertThat(only.services()).isEqualTo(1);
        assertThat(only.unknown()).isEqualTo(1);
        assertThat(only.reclaimable()).isEqualTo(new Estimate(0, 0, 0));
        assertThat(only.usdPerYear()).isEmpty();
        assertThat(only.reasons())
                .containsExactly("1 quota classes have no known cliff and add nothing");
    }
}
