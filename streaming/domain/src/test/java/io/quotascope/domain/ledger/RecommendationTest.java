package io.quotascope.domain.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

class RecommendationTest {
    private static final String ME = "me";

    private static Recommendation proposed(
            String id, String quotaClass, double reserved, double claimed) {
        Advice advice =
                new Advice(
                        Origin.MEASURED,
                        "c",
                        "s",
                        Optional.of(quotaClass),
                        id,
                        List.of("pools"),
                        "20 threads");
        Forecast forecast =
                new Forecast(
                        OptionalDouble.of(reserved),
                        Optional.of(new Predicted(claimed, claimed / 2, claimed * 2)),
                        Optional.of(new Money(new Predicted(claimed * 100, 0, claimed * 200), 3)),
                        List.of());
        return Recommendation.propose(advice, forecast, 10, Optional.of(ME));
    }

    private static Recommendation.Step at(long atUs) {
        return new Recommendation.Step(atUs, Optional.of(ME), Optional.of("because"));
    }

    private static Recommendation step(
            Recommendation from, RecommendationState to, List<Recommendation> ledger)
            throws IllegalStepException {
        return switch (to) {
            case PROPOSED -> from.renew(from);
            case ACCEPTED -> from.accept(ledger, "owner", at(20));
            case REJECTED -> from.reject(at(20));
            case APPLIED -> from.apply(at(20));
            case VERIFIED -> from.verify(at(20));
            case REGRESSED -> from.regress(at(20));
        };
    }

    /** Any walk that is tried: a step is taken exactly when the table of states has it. */
    @Property(tries = 300)
    void onlyLegalStepsAreTaken(@ForAll @Size(max = 12) List<RecommendationState> walk) {
        Recommendation entry = proposed("r", "a", 10, 4);
        Forecast promised = entry.forecast();
        for (RecommendationState to : walk) {
            boolean legal =
                    to == RecommendationState.PROPOSED
                            ? entry.state() == to
                            : entry.state().mayBecome(to);
            try {
                Recommendation next = step(entry, to, List.of());
                assertThat(legal).as("%s to %s", entry.state(), to).isTrue();
                assertThat(next.state()).isEqualTo(to);
                assertThat(next.version()).isEqualTo(entry.version() + 1);
                assertThat(next.forecast()).isEqualTo(promised);
                assertThat(next.credited().millicores()).isEqualTo(to.holdsCredit() ? 4_000 : 0);
                entry = next;
            } catch (IllegalStepException refused) {
                assertThat(legal).as("%s to %s", entry.state(), to).isFalse();
                assertThat(refused).hasMessageContaining("measured/c/s/r");
            }
        }
    }

    @Example
    void theTableOfStatesIsThis() {
        Map<RecommendationState, Set<RecommendationState>> steps = new LinkedHashMap<>();
        for (RecommendationState from : RecommendationState.values()) {
            Set<RecommendationState> next = EnumSet.noneOf(RecommendationState.class);
            for (RecommendationState to : RecommendationState.values()) {
                if (from.mayBecome(to)) {
                    next.add(to);
                }
            }
            steps.put(from, next);
        }
        assertThat(steps.toString())
                .isEqualTo(
                        "{PROPOSED=[ACCEPTED, REJECTED], ACCEPTED=[REJECTED, APPLIED], REJECTED=[],"
                                + " APPLIED=[VERIFIED, REGRESSED], VERIFIED=[REGRESSED], REGRESSED=[]}");
    }

    @Example
    void aPredictionIsFrozenWhenItIsAccepted() throws IllegalStepException {
        Recommendation first = proposed("r", "a", 10, 4);
        Recommendation today = proposed("r", "a", 10, 3);
        assertThat(first.renew(today).forecast()).isEqualTo(today.forecast());
        Recommendation accepted = first.accept(List.of(), "owner", at(20));
        assertThatThrownBy(() -> accepted.renew(today)).hasMessageContaining("another id");
        assertThat(accepted.dates().acceptedAtUs()).hasValue(20);
        assertThat(accepted.owner()).contains("owner");
    }

    @Example
    void stepsDoNotGoBackInTimeAndARejectionSaysWhy() {
        Recommendation entry = proposed("r", "a", 10, 4);
        assertThatThrownBy(() -> entry.accept(List.of(), "owner", at(9)))
                .hasMessageContaining("before it was proposed");
        assertThatThrownBy(
                        () ->
                                entry.reject(
                                        new Recommendation.Step(
                                                20, Optional.of(ME), Optional.empty())))
                .hasMessageContaining("give a reason");
    }

    @Example
    void aLaterRecommendationCoversOnlyCoresThatNobodyHolds() throws IllegalStepException {
        Recommendation first = proposed("r-1", "a", 10, 4).accept(List.of(), "o", at(20));
        assertThat(first.credited()).isEqualTo(CoreSpans.of(6_000, 10_000));
        // accepted while the first is not yet carried out: 6 claimed, 4 of them held
        Recommendation second = proposed("r-2", "a", 10, 6).accept(List.of(first), "o", at(20));
        assertThat(second.credited()).isEqualTo(CoreSpans.of(4_000, 6_000));
        assertThat(second.creditedUsdPerYear().orElseThrow()).isCloseTo(200, within(1e-9));
        // measured after the first was carried out: the reservation has shrunk already
        Recommendation applied = first.apply(at(30));
        Recommendation after = proposed("r-3", "a", 6, 2).accept(List.of(applied), "o", at(40));
        assertThat(after.credited()).isEqualTo(CoreSpans.of(4_000, 6_000));
        // grown back: what was credited once is not credited again
        Recommendation again = proposed("r-4", "a", 12, 6).accept(List.of(applied), "o", at(40));
        assertThat(again.credited()).isEqualTo(CoreSpans.of(10_000, 12_000));
        // regressed: its cores are nobody's again
        Recommendation regressed = applied.regress(at(50));
        assertThat(proposed("r-5", "a", 10, 4).accept(List.of(regressed), "o", at(60)).credited())
                .isEqualTo(CoreSpans.of(6_000, 10_000));
    }

    @Example
    void anotherQuotaClassClaimsOtherCores() throws IllegalStepException {
        Recommendation first = proposed("r-1", "a", 20, 4).accept(List.of(), "o", at(20));
        Recommendation other = proposed("r-2", "b", 20, 5).accept(List.of(first), "o", at(20));
        assertThat(other.credited()).isEqualTo(CoreSpans.of(11_000, 16_000));
    }

    @Example
    void withoutReservationNothingIsCredited() throws IllegalStepException {
        Forecast unknown =
                new Forecast(
                        OptionalDouble.empty(),
                        Optional.of(new Predicted(4, 3, 5)),
                        Optional.empty(),
                        List.of());
        Advice advice = proposed("r", "a", 10, 4).advice();
        Recommendation accepted =
                Recommendation.propose(advice, unknown, 10, Optional.empty())
                        .accept(List.of(), "o", at(20));
        assertThat(accepted.credited()).isEqualTo(CoreSpans.NONE);
        assertThat(accepted.creditedUsdPerYear()).isEmpty();
    }

    /** Whatever is proposed and answered in whatever order, no two entries hold the same core. */
    @Property(tries = 300)
    void eachCoreIsCreditedOnce(@ForAll @Size(max = 40) List<Integer> random)
            throws IllegalStepException {
        Map<String, Recommendation> ledger = new LinkedHashMap<>();
        long topMillicores = 0;
        for (int number : random) {
            int seed = Math.floorMod(number, 1_000_003);
            String id = "r-" + seed % 7;
            int reserved = seed / 7 % 30;
            Recommendation known =
                    ledger.computeIfAbsent(
                            id,
                            key ->
                                    proposed(
                                            key,
                                            seed % 2 == 0 ? "a" : "b",
                                            reserved,
                                            seed / 210 % 20));
            RecommendationState to = RecommendationState.values()[seed / 4200 % 6];
            if (known.state().mayBecome(to)) {
                ledger.put(id, step(known, to, new ArrayList<>(ledger.values())));
            }
            topMillicores = Math.max(topMillicores, reserved * 1000L);
            List<CoreSpans> held = ledger.values().stream().map(Recommendation::credited).toList();
            long sum = held.stream().mapToLong(CoreSpans::millicores).sum();
            assertThat(sum).isEqualTo(CoreSpans.union(held).millicores());
            assertThat(sum).isLessThanOrEqualTo(topMillicores);
        }
        assertThat(ledger.values())
                .allSatisfy(
                        each ->
                                assertThat(each.credited().cores())
                                        .isLessThanOrEqualTo(
                                                each.forecast()
                                                        .reclaimableCores()
                                                        .orElseThrow()
                                                        .value()));
    }
}
