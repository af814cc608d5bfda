package io.quotascope.domain.advice;

import io.quotascope.domain.advice.Candidate.DecidedBy;
import io.quotascope.domain.advice.Replays.Tried;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.whatif.advice.HeadroomModel;
import io.quotascope.domain.whatif.advice.Setting;
import io.quotascope.domain.whatif.advice.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Decides what a service should change: of lowering the reservation alone and of every set of fixes
 * the least reservation that satisfies the gain model, the floor and the replay of the whole
 * setting at peak, its latency included; of those the cheapest. Nothing else in the product decides
 * it.
 */
public final class Advisor {
    /** A day of work is worth this share of cores or delay: what saves less is not worth it. */
    private static final double SHARE_PER_DAY = 0.02;

    /** Quotas tried are multiples of the one in force, from 1/64 to 4, eight to a doubling. */
    private static final int STEPS_BELOW = 48;

    private static final int STEPS = STEPS_BELOW + 16 + 1;
    private static final double STEPS_PER_DOUBLING = 8;
    private static final double MULTIPLE_MAX = 4;

    private final Service service;
    private final Target target;
    private final LatencyObjective objective;
    private final Replays replays;

    private Advisor(Service service, Target target, LatencyObjective objective, Replays replays) {
        this.service = service;
        this.target = target;
        this.objective = objective;
        this.replays = replays;
    }

    /**
     * Decides.
     *
     * @param whatIf demand of one shard
     * @param sets sets of fixes with their gains, in any order
     * @param risk headroom of a shard in any situation
     * @param target what is to be reached, and at which peak
     * @param objective what no change may break that today's setting keeps
     */
    public static Decision decide(
            WhatIf whatIf,
            Service service,
            List<FixSet> sets,
            HeadroomModel risk,
            Target target,
            LatencyObjective objective) {
        Replays replays = Replays.of(whatIf, service, risk, target, objective);
        Decision decision = new Advisor(service, target, objective, replays).decide(sets);
        if (!replays.refusedAny()) {
            return decision;
        }
        Replays lenient = replays.withoutObjective();
        return decision.unless(
                new Advisor(service, target, objective, lenient).decide(sets).chosen());
    }

    private Decision decide(List<FixSet> sets) {
        Tried now = replays.now();
        Decision cheapest = decide(sets, now, target.aim() == Target.Aim.LATENCY);
        // With the cores of today nothing helps: then the least that does.
        return target.aim() == Target.Aim.LATENCY && !cheapest.chosen().reached()
                ? decide(sets, now, false)
                : cheapest;
    }

    private Decision decide(List<FixSet> sets, Tried now, boolean sameCores) {
        List<Candidate> candidates = new ArrayList<>();
        candidates.add(candidate(Optional.empty(), now, sameCores));
        sets.forEach(set -> candidates.add(candidate(Optional.of(set), now, sameCores)));
        Comparator<Candidate> best =
                Comparator.comparingDouble(Advisor::price)
                        .thenComparingDouble(Candidate::effortDays)
                        .thenComparing(Advisor::name);
        if (sameCores) {
            best =
                    Comparator.<Candidate>comparingDouble(
                                    each -> withWork(each, each.after().tailDelayUs()))
                            .thenComparing(best);
        }
        Candidate chosen =
                candidates.stream().filter(Candidate::reached).min(best).orElse(candidates.get(0));
        return new Decision(
                service,
                target,
                objective,
                sameCores,
                now.outcome(),
                candidates,
                chosen,
                Optional.empty());
    }

    /** Cores, and work of people in cores. */
    private static double price(Candidate candidate) {
        return withWork(candidate, candidate.cores());
    }

    /** Cores or delay, raised by the work of people. */
    private static double withWork(Candidate candidate, double amount) {
        return amount * (1.0 + SHARE_PER_DAY * candidate.effortDays());
    }

    private static String name(Candidate candidate) {
        return candidate.fixes().map(set -> set.fixes().toString()).orElse("");
    }

    private Candidate candidate(Optional<FixSet> fixes, Tried now, boolean sameCores) {
        double gain = Service.gain(fixes);
        boolean whole = Replays.has(fixes, FixKind.PINNING);
        Optional<Candidate> found;
        if (sameCores) {
            Tried same =
                    whole
                            ? replays.tried(replays.cpus(fixes, service.wholeCpus()))
                            : replays.sized(fixes, 1);
            found =
                    Optional.of(same)
                            .filter(tried -> fits(tried.setting()) && replays.reaches(tried))
                            .map(tried -> kept(fixes, tried));
        } else {
            found = whole ? leastCpus(fixes, gain) : leastQuota(fixes, gain, now);
        }
        return found.orElseGet(() -> missed(fixes, now, whole));
    }

    /**
     * Whole CPUs, rounded up, may be more than is reserved: then they are not the cores of today.
     */
    private boolean fits(Setting setting) {
        return !setting.wholeCpus()
                || setting.cores() * service.provisioning().shards()
                        <= service.reservedCores() * (1 + 1e-9);
    }

    /** The reservation stays, whatever a setting would leave of it. */
    private Candidate kept(Optional<FixSet> fixes, Tried same) {
        return new Candidate(
                fixes,
                same.setting(),
                fixes.isEmpty() ? DecidedBy.AS_IT_IS : DecidedBy.AIM,
                true,
                service.reservedCores(),
                same.outcome(),
                same.headroom());
    }

    /** No size of it reaches the target: it is shown with the cores of today. */
    private Candidate missed(Optional<FixSet> fixes, Tried now, boolean whole) {
        Tried shown = now;
        if (fixes.isPresent()) {
            shown =
                    whole
                            ? replays.tried(replays.cpus(fixes, service.wholeCpus()))
                            : replays.sized(fixes, 1);
        }
        DecidedBy by = fixes.isEmpty() ? DecidedBy.AS_IT_IS : DecidedBy.TARGET;
        return new Candidate(
                fixes,
                shown.setting(),
                by,
                false,
                service.reservedCores(),
                shown.outcome(),
                shown.headroom());
    }

    private Optional<Candidate> leastQuota(Optional<FixSet> fixes, double gain, Tried now) {
        double least = service.leastCores(gain) / service.reservedCores();
        int below = (int) Math.floor(STEPS_PER_DOUBLING * log2(least) + 1e-9) + STEPS_BELOW;
        if (below < 0 || replays.reaches(replays.sized(fixes, multiple(below)))) {
            Optional<Candidate> sized = asModelled(fixes, least, now);
            if (sized.isPresent()) {
                return sized;
            }
        }
        // By bisection: with more quota the target is reached sooner.
        return first(step -> replays.sized(fixes, multiple(step)), Math.max(-1, below), STEPS)
                .map(tried -> unlessSame(fixes, tried, DecidedBy.TARGET, now));
    }

    /** The size that gain model and floor ask for, where its own replay reaches the target. */
    private Optional<Candidate> asModelled(Optional<FixSet> fixes, double least, Tried now) {
        DecidedBy by =
                least * service.reservedCores() <= service.floorCores()
                        ? DecidedBy.FLOOR
                        : DecidedBy.GAIN;
        return Optional.of(replays.sized(fixes, least))
                .filter(replays::reaches)
                .map(tried -> unlessSame(fixes, tried, by, now));
    }

    /** A cut that is not worth the work of making it is none. */
    private Candidate unlessSame(Optional<FixSet> fixes, Tried tried, DecidedBy by, Tried now) {
        Candidate cut = made(fixes, tried, by, true);
        boolean slight =
                fixes.isEmpty()
                        && cut.cores() <= service.reservedCores() * (1 + 1e-9)
                        && price(cut) >= service.reservedCores();
        return slight && replays.reaches(now) ? made(fixes, now, DecidedBy.AS_IT_IS, true) : cut;
    }

    private Optional<Candidate> leastCpus(Optional<FixSet> fixes, double gain) {
        int least = service.leastCpus(gain);
        int most = (int) Math.max(least, Math.ceil(MULTIPLE_MAX * service.quotaCores()));
        return first(cpus -> replays.tried(replays.cpus(fixes, cpus)), least - 1, most + 1)
                .map(
                        tried ->
                                made(
                                        fixes,
                                        tried,
                                        tried.setting().cores() > least + 0.5
                                                ? DecidedBy.TARGET
                                                : DecidedBy.WHOLE_CPUS,
                                        true));
    }

    /** The first size above one that is not asked about, below one that is none. */
    private Optional<Tried> first(IntFunction<Tried> sizes, int above, int below) {
        int unreached = above;
        int reached = below;
        Optional<Tried> found = Optional.empty();
        while (reached - unreached > 1) {
            int middle = unreached + (reached - unreached) / 2;
            Tried tried = sizes.apply(middle);
            if (replays.reaches(tried)) {
                reached = middle;
                found = Optional.of(tried);
            } else {
                unreached = middle;
            }
        }
        return found;
    }

    private Candidate made(Optional<FixSet> fixes, Tried tried, DecidedBy by, boolean reached) {
        Setting setting = tried.setting();
        double cores =
                setting.wholeCpus()
                        ? setting.cores() * service.provisioning().shards()
                        : setting.quota().quotaUs()
                                / (double) service.quota().quotaUs()
                                * service.reservedCores();
        return new Candidate(fixes, setting, by, reached, cores, tried.outcome(), tried.headroom());
    }

    private static double multiple(int step) {
        return StrictMath.pow(2, (step - STEPS_BELOW) / STEPS_PER_DOUBLING);
    }

    private static double log2(double value) {
        return StrictMath.log(value) / StrictMath.log(2);
    }
}
