package io.quotascope.domain.advice;

import io.quotascope.domain.savings.LatencyObjective;
import io.quotascope.domain.whatif.RatioEstimate;
import io.quotascope.domain.whatif.advice.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Why a candidate has its size, and what it would do, in words; the most important first. */
public final class AdviceWords {
    private static final String FLOOR = "the peak, failures, memory and the least number of shards";

    private AdviceWords() {}

    /**
     * The words of one candidate.
     *
     * @param rightSizing cores free without any fix, as {@link Freed} has them
     * @param byFixes further ones
     */
    public static List<Sentence> of(
            Decision decision, Candidate candidate, double rightSizing, double byFixes) {
        List<Sentence> words = new ArrayList<>();
        words.add(size(decision, candidate));
        if (decision.target().aim() == Target.Aim.LATENCY) {
            words.add(aim(decision, candidate));
        }
        words.add(throttling(decision, candidate));
        if (candidate.equals(decision.chosen())) {
            decision.refused().map(cheaper -> refused(decision, cheaper)).ifPresent(words::add);
        }
        double freed = rightSizing + byFixes;
        if (candidate.reached() && freed < -0.005) {
            words.add(
                    figure(
                            "needs %.2f cores more than the %.2f that are reserved",
                            -freed, decision.service().reservedCores()));
        } else if (candidate.reached() && byFixes < -0.005) {
            words.add(figure("needs %.2f cores more than the service without it", -byFixes));
        }
        candidate
                .fixes()
                .ifPresent(
                        set ->
                                words.add(
                                        figure(
                                                "the same reservation carries %.2f times the load (%.2f .. %.2f)",
                                                set.gain(), set.gainLow(), set.gainHigh())));
        if (rightSizing >= 0 && !decision.coresStay()) {
            words.add(
                    figure(
                            "%.2f of %.2f reserved cores are free without any fix at headroom %.1f",
                            rightSizing,
                            decision.service().reservedCores(),
                            decision.target().headroom()));
        }
        if (decision.target().peakMultiple() > 1) {
            words.add(
                    figure(
                            "sized for %.2f times the load of the horizon, its peak of two weeks",
                            decision.target().peakMultiple()));
        }
        words.add(
                candidate.headroom().isPresent()
                        ? figure(
                                "a shard then collapses at %.2f times its peak",
                                candidate.headroom().getAsDouble())
                        : Sentence.limit("headroom after the change is not known"));
        return words;
    }

    /** Which of them decides: gain model, floor, target or the owner's aim. */
    private static Sentence size(Decision decision, Candidate candidate) {
        Target target = decision.target();
        if (!candidate.reached()) {
            return Sentence.limit(
                    text(
                            "no quota up to four times today's reaches the target of %.1f %% throttled and headroom %.1f within the latency objective of %s, so nothing is given back",
                            100 * target.throttledPeriodRatio(),
                            target.headroom(),
                            milliseconds(decision.objective().sloUs())));
        }
        return Sentence.figure(decidedBy(decision, candidate));
    }

    private static String decidedBy(Decision decision, Candidate candidate) {
        Service service = decision.service();
        Target target = decision.target();
        return switch (candidate.decidedBy()) {
            case GAIN ->
                    text(
                            "%.2f cores stay: the need at headroom %.1f%s decides",
                            candidate.cores(),
                            target.headroom(),
                            candidate.fixes().isPresent() ? " and the gain of the fixes" : "");
            case FLOOR ->
                    text(
                            "%.2f cores must stay for %s: that decides what is freed, not how much is gained",
                            service.floorCores(), FLOOR);
            case TARGET ->
                    text(
                            "%.2f cores stay: the replay of the whole setting at peak decides, less would miss the target of %.1f %% throttled, headroom %.1f or the latency objective of %s",
                            candidate.cores(),
                            100 * target.throttledPeriodRatio(),
                            target.headroom(),
                            milliseconds(decision.objective().sloUs()));
            case WHOLE_CPUS ->
                    text(
                            "%.0f whole CPUs for each of %d shards: rounding up decides what must stay for them",
                            candidate.setting().cores(), service.provisioning().shards());
            case AIM -> text("%.2f cores stay: its owner wants latency", candidate.cores());
            case AS_IT_IS ->
                    decision.coresStay()
                            ? text("%.2f cores stay: its owner wants latency", candidate.cores())
                            : "what is reserved is what it needs: no cut is worth the work";
        };
    }

    /** What the change gives to an owner who wants latency, or why it is sized as for savings. */
    private static Sentence aim(Decision decision, Candidate candidate) {
        return decision.coresStay()
                ? figure(
                        "tail delay at peak: %.1f ms now, %.1f ms after",
                        decision.now().tailDelayUs() / 1e3, candidate.after().tailDelayUs() / 1e3)
                : Sentence.limit(
                        "its owner wants latency, but with the cores of today nothing reaches the target: sized as for savings");
    }

    /** What the latency objective forbids, and by how much it would be missed. */
    private static Sentence refused(Decision decision, Candidate cheaper) {
        LatencyObjective objective = decision.objective();
        boolean waits = !objective.delaysKept(cheaper.after(), decision.now());
        double nowUs = waits ? decision.now().delay().p99() : decision.now().stall().p99();
        double afterUs = waits ? cheaper.after().delay().p99() : cheaper.after().stall().p99();
        return figure(
                "not recommended: %s (%.2f cores would stay), because the slowest hundredth of the work at peak would then %s %.1f ms instead of %.1f, beyond %sthe latency objective of %s",
                cheaper.words(),
                cheaper.cores(),
                waits ? "wait" : "stall",
                afterUs / 1e3,
                nowUs / 1e3,
                waits ? "" : "half of ",
                milliseconds(objective.sloUs()));
    }

    private static Sentence throttling(Decision decision, Candidate candidate) {
        RatioEstimate after = candidate.after().throttledPeriodRatio();
        return figure(
                "throttled periods at peak: %.1f %% now, %.1f %% (%.1f .. %.1f %%) after",
                100 * decision.now().throttledPeriodRatio().value(),
                100 * after.value(),
                100 * after.low(),
                100 * after.high());
    }

    private static String milliseconds(long us) {
        return text(us % 1000 == 0 ? "%.0f ms" : "%.1f ms", us / 1e3);
    }

    private static Sentence figure(String format, Object... values) {
        return Sentence.figure(text(format, values));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
