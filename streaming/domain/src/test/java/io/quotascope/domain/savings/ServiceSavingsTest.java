package io.quotascope.domain.savings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.savings.PriceBook.Price;
import io.quotascope.domain.savings.Provisioning.Targets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class ServiceSavingsTest {
    private static Provisioning service(int shards, double cores, double peak, double headroom) {
        return new Provisioning(
                shards,
                cores,
                peak,
                headroom,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty());
    }

    private static FixSet set(double gain, Fix... fixes) {
        return new FixSet(List.of(fixes), gain, gain / 1.5, gain * 1.5, 0.25);
    }

    /**
     * 10 shards x 20 cores = 200, headroom 2 where 1.4 is the target: 140 are needed, 60 are free
     * by right-sizing. A gain of 2 halves the 140: 70 more. Floor: peak 40 / 0.8 / 0.9 = 55.6.
     */
    @Example
    void rightSizingAndTuningAreToldApart() {
        ServiceSavings savings =
                ServiceSavings.of(
                        service(10, 20, 40, 2),
                        Targets.DEFAULT,
                        List.of(set(2, Fix.pools(20))),
                        Kappa.PRIOR);
        assertThat(savings.rightSizingCores()).isCloseTo(60, within(1e-9));
        assertThat(savings.reclaimableCores()).isCloseTo(70, within(1e-9));
        assertThat(savings.reclaimableCoresLow()).isCloseTo(140 * (1 - 1.5 / 2), within(1e-9));
        // 140 x (1 - 1 / 3) = 93.3 would go below the floor: 140 - 55.6 = 84.4.
        assertThat(savings.reclaimableCoresHigh()).isCloseTo(140 - 40 / 0.72, within(1e-9));
    }

    /** A peak of 90 leaves 140 - 125 = 15 to free, which any gain above 1.12 does. */
    @Example
    void whereTheFloorDecidesItIsSaid() {
        ServiceSavings bound =
                ServiceSavings.of(
                        service(10, 20, 90, 2),
                        Targets.DEFAULT,
                        List.of(set(2, Fix.pools(20))),
                        Kappa.PRIOR);
        assertThat(bound.floorDecides()).isTrue();
        assertThat(bound.reclaimableCoresLow())
                .isCloseTo(bound.reclaimableCoresHigh(), within(1e-9));
        ServiceSavings free =
                ServiceSavings.of(
                        service(10, 20, 40, 2),
                        Targets.DEFAULT,
                        List.of(set(2, Fix.pools(20))),
                        Kappa.PRIOR);
        assertThat(free.floorDecides()).isFalse();
    }

    @Example
    void memoryAndFewestShardsSetTheFloor() {
        Provisioning memory =
                new Provisioning(
                        10,
                        20,
                        1,
                        2,
                        OptionalLong.of(30),
                        OptionalLong.of(40),
                        OptionalInt.empty());
        assertThat(memory.floorCores(Targets.DEFAULT)).isCloseTo(150, within(1e-9));
        Provisioning fewest =
                new Provisioning(
                        10,
                        20,
                        1,
                        2,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        OptionalInt.of(30));
        // 30 shards of a tenth of a core; a peak of one core alone would need 1.39.
        assertThat(fewest.floorCores(Targets.DEFAULT)).isCloseTo(3, within(1e-9));
    }

    /**
     * Burst frees 63 of 70 for half a day, pools free 70 for three days: nine tenths are enough.
     */
    @Example
    void theCheapestWayToNearlyEverythingIsChosen() {
        List<FixSet> sets = List.of(set(1.82, Fix.burst(1)), set(2, Fix.pools(20)));
        ServiceSavings savings =
                ServiceSavings.of(service(10, 20, 40, 2), Targets.DEFAULT, sets, Kappa.PRIOR);
        assertThat(savings.best().orElseThrow().fixes().get(0).kind()).isEqualTo(FixKind.BURST);
    }

    @Example
    void fixesThatHarmAreNotOffered() {
        ServiceSavings savings =
                ServiceSavings.of(
                        service(10, 20, 40, 2),
                        Targets.DEFAULT,
                        List.of(set(0.8, Fix.concurrencyCap(20))),
                        Kappa.PRIOR);
        assertThat(savings.best()).isEmpty();
        assertThat(savings.reclaimableCores()).isZero();
    }

    @Property(tries = 500)
    void savingsNeverExceedTheJointReplayNorTheFloor(
            @ForAll @IntRange(min = 1, max = 400) int shards,
            @ForAll @DoubleRange(min = 0.1, max = 64) double cores,
            @ForAll @DoubleRange(min = 0, max = 1) double peakShare,
            @ForAll @DoubleRange(min = 0.3, max = 10) double headroom,
            @ForAll @DoubleRange(min = 0.4, max = 4) double gain) {
        Provisioning service = service(shards, cores, peakShare * shards * cores, headroom);
        ServiceSavings savings =
                ServiceSavings.of(
                        service, Targets.DEFAULT, List.of(set(gain, Fix.pools(4))), Kappa.PRIOR);
        double total = service.reservedCoresTotal();
        double kept = total - savings.rightSizingCores() - savings.reclaimableCores();
        assertThat(kept).isGreaterThanOrEqualTo(service.floorCores(Targets.DEFAULT) - 1e-6);
        assertThat(savings.reclaimableCores())
                .isLessThanOrEqualTo(savings.needCores() * Math.max(0, 1 - 1 / gain) + 1e-9);
        assertThat(savings.rightSizingCores()).isGreaterThanOrEqualTo(-1e-9);
        assertThat(savings.reclaimableCoresLow())
                .isLessThanOrEqualTo(savings.reclaimableCores() + 1e-9);
        assertThat(savings.reclaimableCoresHigh())
                .isGreaterThanOrEqualTo(savings.reclaimableCores() - 1e-9);
    }

    /**
     * 100 services of 70 cores each, errors mostly common: the interval does not shrink with
     * number.
     */
    @Example
    void errorsOfAFleetGoTogether() {
        ServiceSavings one =
                ServiceSavings.of(
                        service(10, 20, 1, 1.4),
                        Targets.DEFAULT,
                        List.of(set(2, Fix.pools(20))),
                        Kappa.PRIOR);
        FleetSavings many = FleetSavings.of(Collections.nCopies(100, one), 7);
        double relative = (many.coresHigh() - many.coresLow()) / many.cores();
        FleetSavings single = FleetSavings.of(List.of(one), 7);
        double alone = (single.coresHigh() - single.coresLow()) / single.cores();
        assertThat(many.cores())
                .isBetween(90 * one.reclaimableCores(), 110 * one.reclaimableCores());
        assertThat(relative).isBetween(0.5 * alone, 0.9 * alone); // independent: 0.1 of it
        assertThat(FleetSavings.of(Collections.nCopies(100, one), 7)).isEqualTo(many);
    }

    /**
     * 70 cores at 500 dollars less 20 % = 28,000. Hosts of 32 cores packed to 80 %: 2 whole ones.
     */
    @Example
    void valueIsToldApartIntoReservationAndCash() {
        ServiceSavings savings =
                ServiceSavings.of(
                        service(10, 20, 40, 2),
                        Targets.DEFAULT,
                        List.of(set(2, Fix.pools(20))),
                        Kappa.PRIOR);
        Price free = new Price("standard", 0, 500, 40, 0.2, Optional.empty(), Optional.empty());
        SavingsValue value = SavingsValue.of(savings, free, 3, 1_000, 32, 0.8);
        assertThat(value.usdPerYear()).isCloseTo(28_000, within(1e-6));
        assertThat(value.cashableUsdPerYear()).isCloseTo(2 * 32 * 400, within(1e-6));
        assertThat(value.priceBookVersion()).isEqualTo(3);
        Price bound = new Price("standard", 0, 500, 40, 0.2, Optional.of(2_000L), Optional.empty());
        assertThat(SavingsValue.of(savings, bound, 3, 1_000, 32, 0.8).cashableUsdPerYear())
                .isZero();
    }

    @Example
    void thePriceOfTheDayHolds() {
        Price old = new Price("standard", 100, 500, 40, 0, Optional.empty(), Optional.empty());
        Price next = new Price("standard", 200, 450, 40, 0, Optional.empty(), Optional.empty());
        PriceBook book = new PriceBook(2, List.of(next, old), Optional.empty());
        assertThat(book.at("standard", 99)).isEmpty();
        assertThat(book.at("standard", 199)).contains(old);
        assertThat(book.at("standard", 200)).contains(next);
        assertThat(book.at("spot", 200)).isEmpty();
        assertThatThrownBy(() -> new PriceBook(2, List.of(old, old), Optional.empty()))
                .hasMessageContaining("same instant");
        assertThatThrownBy(() -> new Price("x", 0, -1, 0, 0, Optional.empty(), Optional.empty()))
                .hasMessageContaining("x: prices");
    }
}
