package io.quotascope.domain.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.verification.Effect.Verdict;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Example;

class VerificationTest {
    private static final long HOUR = ServiceHour.HOUR_US;
    private static final long START = 1_790_000_000_000_000L / HOUR * HOUR;
    private static final int BEFORE = 14 * 24;
    private static final long CHANGE = START + BEFORE * HOUR + HOUR / 2;
    private static final ChangeEvent EVENT =
            ChangeEvent.declared(
                    Origin.MEASURED,
                    "c",
                    "s",
                    CHANGE,
                    ChangeEvent.Kind.POOLS,
                    Optional.of("r-1"),
                    ChangeEvent.Wording.NONE);

    /**
     * Four weeks of a service with a daily swing, a drift of its own and one shared by all
     * services, correlated noise, and a true effect on the logarithm of used cores after the
     * change.
     */
    private static SortedMap<Long, ServiceHour> service(
            SplittableRandom random, double effect, double shared) {
        SortedMap<Long, ServiceHour> hours = new TreeMap<>();
        double level = 1 + 20 * random.nextDouble();
        double own = 0.02 * random.nextGaussian();
        double noise = 0;
        for (int hour = 0; hour < BEFORE + 14 * 24; hour++) {
            noise = 0.8 * noise + 0.03 * random.nextGaussian();
            boolean after = hour > BEFORE;
            double logarithm =
                    StrictMath.log(level)
                            + 0.3 * StrictMath.sin(2 * StrictMath.PI * hour / 24)
                            + (after ? effect + shared + own : 0)
                            + noise;
            double cores = StrictMath.exp(logarithm);
            long throttled = Math.round(36_000 * Math.min(1, Math.max(0, 0.02 * cores / level)));
            hours.put(
                    START + hour * HOUR,
                    new ServiceHour(
                            START + hour * HOUR,
                            36_000,
                            throttled,
                            cores,
                            OptionalDouble.of(after ? 8 : 10),
                            OptionalLong.empty(),
                            OptionalDouble.empty()));
        }
        return hours;
    }

    private static List<SortedMap<Long, ServiceHour>> unaffected(
            SplittableRandom random, double shared, int count) {
        List<SortedMap<Long, ServiceHour>> services = new ArrayList<>();
        for (int service = 0; service < count; service++) {
            services.add(service(random, 0, shared));
        }
        return services;
    }

    private static Effect usedCores(SplittableRandom random, double effect, double shared) {
        return usedCores(random, effect, shared, 12);
    }

    private static Effect usedCores(
            SplittableRandom random, double effect, double shared, int unaffected) {
        return Verification.judge(
                        EVENT,
                        service(random, effect, shared),
                        unaffected(random, shared, unaffected),
                        VerificationPolicy.DEFAULT)
                .get(Quantity.USED_CORES.ordinal());
    }

    @Example
    void intervalsCoverTheTruthAndDoNotCryWolf() {
        SplittableRandom random = new SplittableRandom(20261121);
        int covered = 0;
        int alarms = 0;
        for (int run = 0; run < 200; run++) {
            double effect = run % 2 == 0 ? 0 : -0.2;
            // All services grow by a tenth in the same night: nobody's change did that.
            Effect judged = usedCores(random, effect, 0.1);
            double truth = StrictMath.expm1(effect);
            covered += judged.low() <= truth && truth <= judged.high() ? 1 : 0;
            alarms += effect == 0 && judged.verdict() != Verdict.NO_DETECTABLE_CHANGE ? 1 : 0;
            if (effect != 0) {
                assertThat(judged.verdict()).isEqualTo(Verdict.FALLEN);
            }
        }
        assertThat(covered).isBetween(170, 195); // 90 % is 180 of 200; 85 and 97.5 % are the bounds
        assertThat(alarms).isLessThanOrEqualTo(15); // of 100 without effect
    }

    @Example
    void fewServicesToCompareWithMakeTheIntervalWiderAndNotWrong() {
        for (int unaffected : new int[] {2, 3, 5}) {
            SplittableRandom random = new SplittableRandom(20261123 + unaffected);
            int covered = 0;
            for (int run = 0; run < 200; run++) {
                Effect judged = usedCores(random, 0, 0.1, unaffected);
                covered += judged.low() <= 0 && 0 <= judged.high() ? 1 : 0;
            }
            assertThat(covered).as("%d services", unaffected).isBetween(170, 195);
        }
    }

    @Example
    void withoutOthersTheGrowthOfAllLooksLikeAnEffect() {
        // Why unaffected services are needed: 10 % shared growth, no effect.
        SplittableRandom random = new SplittableRandom(7);
        SortedMap<Long, ServiceHour> changed = service(random, 0, 0.1);
        Effect alone =
                Verification.judge(EVENT, changed, List.of(), VerificationPolicy.DEFAULT)
                        .get(Quantity.USED_CORES.ordinal());
        assertThat(alone.verdict()).isEqualTo(Verdict.RISEN);
        assertThat(alone.controls()).isZero();
    }

    @Example
    void aReservationIsComparedExactly() {
        SplittableRandom random = new SplittableRandom(3);
        List<SortedMap<Long, ServiceHour>> none = List.of();
        Effect reserved =
                Verification.judge(EVENT, service(random, 0, 0), none, VerificationPolicy.DEFAULT)
                        .get(Quantity.RESERVED_CORES.ordinal());
        assertThat(reserved.effect()).isCloseTo(-0.2, within(1e-9)); // 10 -> 8 cores
        assertThat(reserved.verdict()).isEqualTo(Verdict.FALLEN);
    }

    @Example
    void whatIsNotMeasuredIsNotJudged() {
        SplittableRandom random = new SplittableRandom(5);
        List<Effect> effects =
                Verification.judge(
                        EVENT, service(random, -0.2, 0), List.of(), VerificationPolicy.DEFAULT);
        assertThat(effects.get(Quantity.LATENCY_P99.ordinal()).verdict())
                .isEqualTo(Verdict.TOO_LITTLE_EVIDENCE);
        assertThat(effects.get(Quantity.CPU_PER_REQUEST.ordinal()).verdict())
                .isEqualTo(Verdict.TOO_LITTLE_EVIDENCE);
    }

    @Example
    void hoursAreMatchedByTheWeekAndElseByTheDay() {
        SortedMap<Long, ServiceHour> hours = service(new SplittableRandom(1), 0, 0);
        List<MatchedHours.Pair> pairs =
                MatchedHours.around(CHANGE, hours, VerificationPolicy.DEFAULT);
        assertThat(pairs)
                .hasSize(14 * 24 - 2); // the change's own hour and one to settle are left out
        assertThat(pairs)
                .allSatisfy(
                        pair -> {
                            assertThat((pair.afterUs() - pair.beforeUs()) % (7 * 24 * HOUR))
                                    .isZero();
                            assertThat(pair.beforeUs() + HOUR).isLessThanOrEqualTo(CHANGE);
                        });
        SortedMap<Long, ServiceHour> recent = hours.tailMap(START + (BEFORE - 30) * HOUR);
        MatchedHours.Pair first =
                MatchedHours.around(CHANGE, recent, VerificationPolicy.DEFAULT).get(0);
        assertThat(first.afterUs() - first.beforeUs()).isEqualTo(24 * HOUR);
    }

    @Example
    void theSameChangeIsAlwaysJudgedAlike() {
        assertThat(usedCores(new SplittableRandom(11), -0.1, 0))
                .isEqualTo(usedCores(new SplittableRandom(11), -0.1, 0));
    }
}
