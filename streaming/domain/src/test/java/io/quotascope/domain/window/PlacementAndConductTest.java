package io.quotascope.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bounds of what a record says about ancestors, CPUs, budget and clocks. */
class PlacementAndConductTest {
    private static final OptionalLong NONE = OptionalLong.empty();
    private static final OptionalLong BELOW = OptionalLong.of(-1);

    private static Placement placement(
            Bandwidth nearest, OptionalLong[] counters, OptionalLong cpus, OptionalLong phase) {
        return new Placement(nearest, counters[0], counters[1], counters[2], cpus, phase);
    }

    private static OptionalLong[] counters(
            OptionalLong periods, OptionalLong throttled, OptionalLong us) {
        return new OptionalLong[] {periods, throttled, us};
    }

    private static AgentConduct conduct(int step, String reason, int skipped, int shortLived) {
        return new AgentConduct(step, Optional.of(reason), skipped, shortLived, NONE, 0, 0);
    }

    private static AgentConduct conduct(OptionalLong shortLivedUs, int clockSteps, int late) {
        return new AgentConduct(0, Optional.empty(), 0, 0, shortLivedUs, clockSteps, late);
    }

    static Stream<Arguments> placementsAtFault() {
        OptionalLong[] silent = counters(NONE, NONE, NONE);
        Bandwidth none = Bandwidth.NONE;
        return Stream.of(
                Arguments.of(
                        "nearest_ancestor_quota_us",
                        placement(Bandwidth.of(-1, 100_000), silent, NONE, NONE)),
                Arguments.of(
                        "nearest_ancestor_period_us",
                        placement(Bandwidth.of(1, -1), silent, NONE, NONE)),
                Arguments.of(
                        "ancestor_periods",
                        placement(none, counters(BELOW, NONE, NONE), NONE, NONE)),
                Arguments.of(
                        "ancestor_throttled_periods",
                        placement(none, counters(NONE, BELOW, NONE), NONE, NONE)),
                Arguments.of(
                        "ancestor_throttled_us",
                        placement(none, counters(NONE, NONE, BELOW), NONE, NONE)),
                Arguments.of("cpus_allowed", placement(none, silent, OptionalLong.of(0), NONE)),
                Arguments.of("cpus_allowed", placement(none, silent, OptionalLong.of(8193), NONE)),
                Arguments.of("period_phase_us", placement(none, silent, NONE, BELOW)),
                Arguments.of(
                        "period_phase_us",
                        placement(none, silent, NONE, OptionalLong.of(1_000_001))));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("placementsAtFault")
    void thePlacementAtFaultIsNamed(String field, Placement placement) {
        ShardWindow sound = WindowFixture.window(1);
        assertThat(Validation.of(WindowFixture.placed(sound, placement)).map(Refusal::code))
                .contains("invalid_field:" + field);
    }

    @Test
    void aPlacementInsideItsBoundsPasses() {
        OptionalLong some = OptionalLong.of(1);
        Placement whole =
                placement(
                        Bandwidth.of(50_000, 100_000),
                        counters(some, some, some),
                        OptionalLong.of(8192),
                        OptionalLong.of(0));
        assertThat(Validation.of(WindowFixture.placed(WindowFixture.window(1), whole))).isEmpty();
    }

    static Stream<Arguments> conductsAtFault() {
        return Stream.of(
                Arguments.of("protection_step", conduct(-1, "over budget", 0, 0)),
                Arguments.of("protection_step", conduct(4, "over budget", 0, 0)),
                Arguments.of("protection_reason", conduct(1, "", 0, 0)),
                Arguments.of("protection_reason", conduct(1, "r".repeat(513), 0, 0)),
                Arguments.of("budget_skipped_cgroups", conduct(3, "over budget", -1, 0)),
                Arguments.of("short_lived_cgroups", conduct(3, "over budget", 0, -1)),
                Arguments.of("short_lived_usage_us", conduct(BELOW, 0, 0)),
                Arguments.of("clock_steps", conduct(NONE, -1, 0)),
                Arguments.of("late_windows", conduct(NONE, 0, -1)));
    }

    @ParameterizedTest(name = "{0} {index}")
    @MethodSource("conductsAtFault")
    void theConductAtFaultIsNamed(String field, AgentConduct conduct) {
        assertThat(Validation.of(WindowFixture.report(conduct)).map(Refusal::code))
                .contains("invalid_field:" + field);
    }

    @Test
    void aConductInsideItsBoundsPasses() {
        assertThat(Validation.of(WindowFixture.report(conduct(3, "over budget", 17, 4)))).isEmpty();
    }
}
