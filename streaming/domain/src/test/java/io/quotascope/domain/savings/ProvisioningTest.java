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

/** What must stay, what a total frees, and what freed cores are worth. */
class ProvisioningTest {
    private static final FleetSavings.Part POOLS =
            new FleetSavings.Part(2, 0.25, 140, 40 / 0.72, false, 1);

    /** 140 cores are needed, a gain of 2 halves them; a floor of 125 leaves 15. */
    @Example
    void aGainFreesItsShareOfTheNeedDownToTheFloor() {
        assertThat(FleetSavings.freed(2, 140, 55)).isCloseTo(70, within(1e-9));
        assertThat(FleetSavings.freed(2, 140, 125)).isCloseTo(15, within(1e-9));
        assertThat(FleetSavings.freed(0.8, 140, 55)).isZero();
    }

    @Property(tries = 500)
    void savingsNeverExceedTheJointReplayNorTheFloor(
            @ForAll @DoubleRange(min = 0, max = 1000) double need,
            @ForAll @DoubleRange(min = 0, max = 1000) double floor,
            @ForAll @DoubleRange(min = 0.4, max = 4) double gain) {
        double freed = FleetSavings.freed(gain, need, floor);
        assertThat(freed).isGreaterThanOrEqualTo(0);
        assertThat(freed).isLessThanOrEqualTo(need * Math.max(0, 1 - 1 / gain) + 1e-9);
        assertThat(need - freed).isGreaterThanOrEqualTo(Math.min(need, floor) - 1e-9);
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
     * 100 services of 70 cores each, errors mostly common: the interval does not shrink with
     * number.
     */
    @Example
    void errorsOfAFleetGoTogether() {
        FleetSavings many = FleetSavings.ofParts(Collections.nCopies(100, POOLS), 7);
        double relative = (many.coresHigh() - many.coresLow()) / many.cores();
        FleetSavings single = FleetSavings.ofParts(List.of(POOLS), 7);
        double alone = (single.coresHigh() - single.coresLow()) / single.cores();
        assertThat(many.cores()).isBetween(90 * 70.0, 110 * 70.0);
        assertThat(relative).isBetween(0.5 * alone, 0.9 * alone); // independent: 0.1 of it
        assertThat(FleetSavings.ofParts(Collections.nCopies(100, POOLS), 7)).isEqualTo(many);
    }

    /**
     * 70 cores at 500 dollars less 20 % = 28,000. Hosts of 32 cores packed to 80 %: 2 whole ones.
     */
    @Example
    void valueIsToldApartIntoReservationAndCash() {
        Price free = new Price("standard", 0, 500, 40, 0.2, Optional.empty(), Optional.empty());
        SavingsValue value = SavingsValue.of(70, 60, 80, free, 3, 1_000, 32, 0.8);
        assertThat(value.usdPerYear()).isCloseTo(28_000, within(1e-6));
        assertThat(value.cashableUsdPerYear()).isCloseTo(2 * 32 * 400, within(1e-6));
        assertThat(value.priceBookVersion()).isEqualTo(3);
        Price bound = new Price("standard", 0, 500, 40, 0.2, Optional.of(2_000L), Optional.empty());
        assertThat(SavingsValue.of(70, 60, 80, bound, 3, 1_000, 32, 0.8).cashableUsdPerYear())
                .isZero();
        assertThat(SavingsValue.of(-70, -80, -60, free, 3, 1_000, 32, 0.8).cashableUsdPerYear())
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
