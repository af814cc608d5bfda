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
                0,
                OptionalDouble.of(20),
                Optional.of(new Estimate(2, 1, 3)),
                Optional.empty(),
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

    private static List<FleetTotal> all(List<FleetPart> parts) {
        return FleetTotal.all(Origin.MEASURED, 7, parts, parts);
    }

    @Test
    void withoutErrorsATotalIsAPlainSum() {
        List<FleetTotal> totals = all(fleet(true, 0));
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
        FleetTotal prior = all(fleet(false, 0.3)).get(0);
        FleetTotal measured = all(fleet(true, 0.3)).get(0);
        double wide = prior.reclaimable().high() - prior.reclaimable().low();
        double narrow = measured.reclaimable().high() - measured.reclaimable().low();
        assertThat(wide).isGreaterThan(3 * narrow);
        assertThat(prior.reasons().get(0))
                .startsWith("40 of the 40 estimates that free cores lean on one prior");
    }

    @Test
    void theOrderOfServicesChangesNothing() {
        List<FleetPart> parts = fleet(false, 0.3);
        List<FleetTotal> inOrder = all(parts);
        Collections.shuffle(parts, new Random(3));
        assertThat(all(parts)).isEqualTo(inOrder);
    }

    @Test
    void aFleetOfOneClusterIsThatCluster() {
        List<FleetPart> parts =
                fleet(false, 0.3).stream()
                        .filter(part -> part.key().cluster().equals("large"))
                        .toList();
        FleetTotal fleet = all(parts).get(0);
        FleetTotal cluster = all(parts).get(1);
        assertThat(cluster.name()).isEqualTo("large");
        assertThat(fleet.reclaimable().high()).isGreaterThan(fleet.reclaimable().value());
        assertThat(cluster.cores()).isEqualTo(fleet.cores());
        assertThat(cluster.usd()).isEqualTo(fleet.usd());
        assertThat(cluster.reclaimable()).isEqualTo(fleet.reclaimable());
    }

    @Test
    void whatIsNotKnownAddsNothingAndIsCounted() {
        FleetPart unknown =
                new FleetPart(
                        new ServiceKey(Origin.MEASURED, "c", "dark", "unlimited"),
                        Optional.empty(),
                        1_000,
                        0,
                        OptionalDouble.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalDouble.empty());
        FleetTotal only = all(List.of(unknown)).get(0);
        assertThat(only.services()).isEqualTo(1);
        assertThat(only.unknown()).isEqualTo(1);
        assertThat(only.reclaimable()).isEqualTo(new Estimate(0, 0, 0));
        assertThat(only.usdPerYear()).isEmpty();
        assertThat(only.reasons())
                .containsExactly("1 quota classes have no known cliff and add nothing");
    }

    /** A service that frees nothing and takes cores, with or without a price. */
    private static FleetPart lacking(String service, Estimate freed, OptionalDouble price) {
        return new FleetPart(
                new ServiceKey(Origin.MEASURED, "large", service, "2000m/100ms"),
                Optional.of("payments"),
                1_000,
                0,
                OptionalDouble.of(20),
                Optional.of(freed),
                FleetPart.taken(Optional.of(freed)),
                Optional.empty(),
                price);
    }

    /** 40 services free 2 and 5 cores each; one takes 30 [24, 40], another 10 [10, 10]. */
    @Test
    void whatOthersNeedIsTakenOffAndPriced() {
        List<FleetPart> parts = fleet(true, 0);
        parts.add(lacking("thin", new Estimate(-30, -40, -24), OptionalDouble.of(300)));
        parts.add(lacking("dear", new Estimate(-10, -10, -10), OptionalDouble.empty()));
        FleetTotal all = all(parts).get(0);
        assertThat(all.shortOf()).isEqualTo(2);
        assertThat(all.unpriced()).isEqualTo(1);
        assertThat(all.cores().freed()).isEqualTo(new Estimate(280, 240, 320));
        assertThat(all.cores().needed()).isEqualTo(new Estimate(40, 34, 50));
        assertThat(all.cores().net()).isEqualTo(new Estimate(240, 190, 286));
        assertThat(all.usd().orElseThrow().net().value()).isCloseTo(300 * 250.0, within(1e-6));
        assertThat(all.rightSizing()).as("as before").isEqualTo(new Estimate(80, 40, 120));
    }

    /** Cliffs and gains err apart: neither ends added nor errors that all cancel. */
    @Test
    void theTwoErrorsOfABalanceAreJoined() {
        FleetTotal all = all(fleet(false, 0.3)).get(0);
        Estimate freed = all.cores().freed();
        assertThat(freed.value())
                .isCloseTo(all.rightSizing().value() + all.reclaimable().value(), within(1e-9));
        double tuned = all.reclaimable().value() - all.reclaimable().low();
        assertThat(freed.value() - freed.low()).isCloseTo(Math.hypot(40, tuned), within(1e-9));
        assertThat(all.cores().net()).isEqualTo(freed);
    }
}
