package io.quotascope.domain.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.ChangeEvent.Kind;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ChangeWatchTest {
    private static final long MINUTE_US = 60_000_000;
    private static final ChangeWatch.Service CHECKOUT =
            new ChangeWatch.Service(Origin.MEASURED, "eu", "checkout");

    private static ServiceShape shape(Map<String, Integer> shards, String kernel) {
        return new ServiceShape(new TreeMap<>(shards), new TreeMap<>(Map.of(kernel, 6L)));
    }

    private static List<ChangeEvent> over(int minutes, IntFunction<ServiceShape> shapes) {
        ChangeWatch watch = ChangeWatch.NONE;
        List<ChangeEvent> events = new ArrayList<>();
        for (int minute = 0; minute < minutes; minute++) {
            ChangeWatch.Step step =
                    watch.after(
                            CHECKOUT,
                            minute * MINUTE_US,
                            shapes.apply(minute),
                            ChangeWatch.Policy.DEFAULT);
            watch = step.next();
            events.addAll(step.events());
        }
        return events;
    }

    @Example
    void aRollingChangeOfTheQuotaIsOneEventAtTheMinuteWhenMostHadIt() {
        // one shard of ten a minute from minute 5 on: 7 of 10 have it in minute 11
        List<ChangeEvent> events =
                over(
                        30,
                        minute -> {
                            int moved = Math.max(0, Math.min(10, minute - 4));
                            TreeMap<String, Integer> shards = new TreeMap<>();
                            shards.merge("2000m/100ms", 10 - moved, Integer::sum);
                            shards.merge("4000m/100ms", moved, Integer::sum);
                            return shape(shards, "6.1");
                        });
        assertThat(events).hasSize(1);
        ChangeEvent event = events.get(0);
        assertThat(event.kind()).isEqualTo(Kind.QUOTA);
        assertThat(event.atUs()).isEqualTo(11 * MINUTE_US);
        assertThat(event.wording().settingBefore()).hasValue("2000m/100ms");
        assertThat(event.wording().settingAfter()).hasValue("4000m/100ms");
        assertThat(event.source()).isEqualTo(ChangeEvent.Source.DETECTED);
    }

    @Example
    void theSameQuotaInAnotherPeriodIsAChangeOfThePeriod() {
        assertThat(
                        over(
                                10,
                                minute ->
                                        shape(
                                                Map.of(
                                                        minute < 4 ? "2000m/100ms" : "2000m/20ms",
                                                        3),
                                                "6.1")))
                .extracting(ChangeEvent::kind)
                .containsExactly(Kind.PERIOD);
    }

    @Example
    void aKernelUpgradeIsOneEvent() {
        assertThat(
                        over(
                                10,
                                minute ->
                                        shape(
                                                Map.of("2000m/100ms", 3),
                                                minute < 4 ? "4.14.90" : "6.1.0")))
                .extracting(ChangeEvent::kind)
                .containsExactly(Kind.KERNEL);
    }

    @Example
    void aMinuteOfAnotherSettingIsNoChange() {
        assertThat(
                        over(
                                20,
                                minute ->
                                        shape(
                                                Map.of(
                                                        minute % 3 == 1
                                                                ? "1000m/100ms"
                                                                : "2000m/100ms",
                                                        3),
                                                "6.1")))
                .isEmpty();
    }

    @Example
    void aServiceThatDoublesIsOneEventWhenItLasts() {
        List<ChangeEvent> events =
                over(40, minute -> shape(Map.of("2000m/100ms", minute < 10 ? 10 : 20), "6.1"));
        assertThat(events).hasSize(1);
        assertThat(events.get(0).kind()).isEqualTo(Kind.SHARDS);
        assertThat(events.get(0).atUs()).isEqualTo(10 * MINUTE_US);
        assertThat(events.get(0).wording().settingAfter()).hasValue("20");
    }

    @Example
    void anAutoscalerThatSwingsAllDayTellsNoMoreThanFourTimes() {
        // up and down every half an hour for three days: 144 swings
        List<ChangeEvent> events =
                over(
                        3 * 1_440,
                        minute ->
                                shape(
                                        Map.of("2000m/100ms", minute / 30 % 2 == 0 ? 10 : 20),
                                        "6.1"));
        assertThat(events.size()).isBetween(9, 12);
    }

    @Property(tries = 100)
    void aFewShardsMoreOrLessAreNoChange(
            @ForAll List<@IntRange(min = 85, max = 119) Integer> levels) {
        assertThat(
                        over(
                                levels.size() + 1,
                                minute ->
                                        shape(
                                                Map.of(
                                                        "2000m/100ms",
                                                        minute == 0 ? 100 : levels.get(minute - 1)),
                                                "6.1")))
                .isEmpty();
    }

    @Example
    void repeatedMinutesAndMinutesWithoutShardsChangeNothing() {
        ChangeWatch watch =
                ChangeWatch.NONE
                        .after(
                                CHECKOUT,
                                MINUTE_US,
                                shape(Map.of("2000m/100ms", 3), "6.1"),
                                ChangeWatch.Policy.DEFAULT)
                        .next();
        for (long minute : new long[] {0, MINUTE_US}) {
            assertThat(
                            watch.after(
                                            CHECKOUT,
                                            minute,
                                            shape(Map.of("1000m/100ms", 9), "4.4"),
                                            ChangeWatch.Policy.DEFAULT)
                                    .next())
                    .isEqualTo(watch);
        }
        assertThat(
                        watch.after(
                                        CHECKOUT,
                                        2 * MINUTE_US,
                                        ServiceShape.EMPTY,
                                        ChangeWatch.Policy.DEFAULT)
                                .next())
                .isEqualTo(watch);
    }
}
