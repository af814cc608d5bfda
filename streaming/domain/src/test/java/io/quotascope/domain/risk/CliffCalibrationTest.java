package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.risk.CliffCalibration.Collapse;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

class CliffCalibrationTest {
    private static final List<Collapse> FITTED =
            List.of(
                    CliffCalibration.FITTED.stated().collapse(),
                    CliffCalibration.FITTED.stated().watched(),
                    CliffCalibration.FITTED.assumed().collapse(),
                    CliffCalibration.FITTED.assumed().watched(),
                    CliffCalibration.FITTED.priced().collapse(),
                    CliffCalibration.FITTED.priced().watched());

    /**
     * By hand: 0.1 + 0.5 ln 0.5 + 0.1 ln 0.4 + 0.3 x (1 - 0.8) x ln 0.2 = 0.1 - 0.346574 - 0.091629
     * - 0.096566 = -0.434769, and e to it is 0.647414. With 0.05 x 2 taken off it is e to
     * -0.534769, 0.585805.
     */
    @Example
    void aShareWorkedOutByHand() {
        Collapse line = new Collapse(0.1, 0.5, 0.1, 0.3);
        assertThat(line.of(0.5, 0.8, 0.4, 0.2, 1)).isCloseTo(0.647414, within(1e-6));
        Collapse watched = new Collapse(0.1, 0.5, 0.1, 0.3, 0.05);
        assertThat(watched.of(0.5, 0.8, 0.4, 0.2, 2)).isCloseTo(0.585805, within(1e-6));
    }

    /** Demand without bursts has nothing to wait for below its quota. */
    @Property(tries = 50)
    void steadyDemandDoesNotAskHowPatientClientsAre(
            @ForAll @DoubleRange(min = 0.1, max = 1) double dear,
            @ForAll @DoubleRange(min = 0.01, max = 30) double timeoutSeconds) {
        Collapse line = CliffCalibration.FITTED.stated().collapse();
        assertThat(line.of(dear, 1, 0.3, timeoutSeconds, 0)).isEqualTo(line.of(dear, 1, 0.3, 1, 0));
    }

    /** A line of patience alone is the timeout to the power of what bursts leave of the quota. */
    @Example
    void burstsAreAsFarAsClientsArePatient() {
        Collapse line = new Collapse(0, 0, 0, 1);
        assertThat(line.of(1, 0.5, 1, 0.25, 1)).isCloseTo(0.5, within(1e-12));
        assertThat(line.of(1, 0.5, 1, 0.0625, 1)).isCloseTo(0.25, within(1e-12));
        assertThat(line.of(1, 0.5, 1, 7, 1)).isEqualTo(1);
    }

    /** A replay that collapses later never brings the cliff nearer. */
    @Property(tries = 200)
    void replaysThatCollapseLaterMoveTheCliffAway(
            @ForAll @DoubleRange(min = 0.05, max = 1.2) double dear,
            @ForAll @DoubleRange(min = 0.05, max = 1.2) double plain,
            @ForAll @DoubleRange(min = 0.01, max = 30) double timeoutSeconds,
            @ForAll @DoubleRange(min = 1, max = 2) double later) {
        for (Collapse line : FITTED) {
            double now = line.of(dear, plain, 0.3, timeoutSeconds, 1);
            assertThat(line.of(dear * later, plain, 0.3, timeoutSeconds, 1))
                    .isGreaterThanOrEqualTo(now);
            assertThat(line.of(dear, plain * later, 0.3, timeoutSeconds, 1))
                    .isGreaterThanOrEqualTo(now);
        }
    }

    /** Clients that wait longer never bring the cliff nearer. */
    @Property(tries = 200)
    void patienceMovesTheCliffAway(
            @ForAll @DoubleRange(min = 0.05, max = 1.2) double plain,
            @ForAll @DoubleRange(min = 0.01, max = 30) double timeoutSeconds,
            @ForAll @DoubleRange(min = 1, max = 10) double longer) {
        for (Collapse line : FITTED) {
            assertThat(line.of(0.5, plain, 0.3, timeoutSeconds * longer, 1))
                    .isGreaterThanOrEqualTo(line.of(0.5, plain, 0.3, timeoutSeconds, 1));
        }
    }

    /** The same replays in multiples of a greater load: the multiple left is smaller. */
    @Property(tries = 200)
    void moreLoadLeavesASmallerMultiple(
            @ForAll @DoubleRange(min = 0.05, max = 0.5) double used,
            @ForAll @DoubleRange(min = 1.05, max = 2) double more) {
        for (Collapse line : FITTED) {
            double before = line.of(0.5, 0.8, used, 0.2, 1) / used;
            double after = line.of(0.5, 0.8, used * more, 0.2, 1) / (used * more);
            assertThat(after).isLessThan(before);
        }
    }

    /** Throttling that lasts longer never moves the cliff away. */
    @Property(tries = 200)
    void throttlingThatLastsLongerNeverMovesTheCliffAway(
            @ForAll @DoubleRange(min = 0.05, max = 1.2) double plain,
            @ForAll @DoubleRange(min = 0, max = 6) double persistence,
            @ForAll @DoubleRange(min = 0.1, max = 3) double longer) {
        for (Collapse line : FITTED) {
            assertThat(line.of(0.5, plain, 0.3, 0.2, persistence + longer))
                    .isLessThanOrEqualTo(line.of(0.5, plain, 0.3, 0.2, persistence));
        }
        Collapse watched = CliffCalibration.FITTED.stated().watched();
        assertThat(watched.of(0.5, plain, 0.3, 0.2, longer))
                .isLessThan(watched.of(0.5, plain, 0.3, 0.2, 0));
    }
}
