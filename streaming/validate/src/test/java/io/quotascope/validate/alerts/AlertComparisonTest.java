package io.quotascope.validate.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AlertComparisonTest {
    private static final Course FAR = new Course(OptionalInt.empty(), List.of(0.3, 0.5, 0.5));
    private static final Course NEAR = new Course(OptionalInt.empty(), List.of(0.3, 0.51, 0.3));

    /** Collapses half-way through its fifth minute. */
    private static final Course COLLAPSES =
            new Course(OptionalInt.of(270), List.of(0.4, 0.59, 0.6, 0.9, 1.0, 1.1));

    private static Firing minutes(String on) {
        return Firing.of(on.chars().mapToObj(minute -> minute == '#').toList());
    }

    private static List<PeerRules.Minute> throttled(long... throttledOf600) {
        List<PeerRules.Minute> minutes = new ArrayList<>();
        for (long throttled : throttledOf600) {
            minutes.add(new PeerRules.Minute(600, throttled, 0.5));
        }
        return minutes;
    }

    @Test
    void anAlertIsCountedWhenItBeginsAndNotWhileItLasts() {
        assertThat(minutes(".##.#..").alerts()).isEqualTo(2);
        assertThat(minutes("###").alerts()).isEqualTo(1);
        assertThat(minutes("...").first()).isEqualTo(-1);
        Firing both = Firing.any(List.of(minutes(".##.#"), minutes("..#..")));
        assertThat(both.on()).containsExactly(false, true, true, false, true);
        assertThat(both.alerts()).isEqualTo(3);
    }

    @Test
    void alertsOnWhatDoesNotCollapseAreFalse() {
        Tally tally = new Tally();
        tally.add(FAR, minutes("#.#"));
        tally.add(FAR, minutes("..."));
        tally.add(NEAR, minutes(".#."));
        assertThat(tally.alerts()).isEqualTo(3);
        assertThat(tally.falseFar()).isEqualTo(2);
        assertThat(tally.falseNear()).isEqualTo(1);
        assertThat(tally.accused()).isEqualTo(2);
        assertThat(tally.again()).isEqualTo(1);
        assertThat(tally.most()).isEqualTo(2);
        assertThat(tally.inTime() + tally.late() + tally.missed()).isZero();
    }

    @Test
    void aWarningIsOfUseWhenItComesAMinuteBeforeTheCollapse() {
        Tally tally = new Tally();
        tally.add(COLLAPSES, minutes(".#...."));
        tally.add(COLLAPSES, minutes("..#..."));
        // The end of the fourth minute is 30 s before the collapse.
        tally.add(COLLAPSES, minutes("...###"));
        tally.add(COLLAPSES, minutes(".....#"));
        tally.add(COLLAPSES, minutes("......"));
        assertThat(tally.inTime()).isEqualTo(2);
        assertThat(tally.early()).isEqualTo(1);
        assertThat(tally.late()).isEqualTo(2);
        assertThat(tally.missed()).isEqualTo(1);
        assertThat(tally.falseFar() + tally.falseNear() + tally.accused()).isZero();
    }

    @Test
    void throttlingHighLooksAtFiveMinutesAndWaitsForFifteen() {
        // One minute of 600 in 3,000 periods is 20 %, two are 40 %: true from the second on.
        long[] counts = new long[22];
        counts[3] = 600;
        IntStream.range(4, 20).forEach(minute -> counts[minute] = 300);
        List<Boolean> on = PeerRules.throttlingHigh(throttled(counts)).on();
        // At 3 it is 600 of 2,400, which is not more than 25 %; true first at 4, fires at 19.
        assertThat(on.indexOf(true)).isEqualTo(19);
        // 1,200 of 3,000 at 20, 900 of 3,000 at 21.
        assertThat(on.subList(19, 22)).containsOnly(true);
    }

    @Test
    void throttlingHighEndsAtOnceAndStartsToWaitAnew() {
        long[] counts = Collections.nCopies(40, 200L).stream().mapToLong(c -> c).toArray();
        IntStream.range(18, 23).forEach(minute -> counts[minute] = 0);
        List<Boolean> on = PeerRules.throttlingHigh(throttled(counts)).on();
        // 200 of 600 is true from 0; 600 of 3,000 at 19 is not; true again from 26, 800 of 3,000.
        assertThat(on.indexOf(true)).isEqualTo(15);
        assertThat(on.subList(15, 20)).containsExactly(true, true, true, true, false);
        assertThat(on.lastIndexOf(true)).isEqualTo(18);
    }

    @Test
    void theOtherRulesLookAtOneMinute() {
        assertThat(PeerRules.anyThrottling(throttled(0, 6, 7, 0)).on())
                .containsExactly(false, false, true, false);
        List<PeerRules.Minute> used =
                List.of(new PeerRules.Minute(600, 0, 0.8), new PeerRules.Minute(600, 0, 0.81));
        assertThat(PeerRules.utilization(used).on()).containsExactly(false, true);
    }

    @Test
    void theTableReplacesItsSectionAndNoOther() {
        String section = "## Compared with the rules of others\nnew\n";
        String once = Comparison.replaced("# Alerts\n\n## A\na\n", section);
        assertThat(once).isEqualTo("# Alerts\n\n## A\na\n\n" + section);
        assertThat(Comparison.replaced(once, section)).isEqualTo(once);
        assertThatThrownBy(() -> Comparison.replaced(once + "\n## Z\n", section))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
