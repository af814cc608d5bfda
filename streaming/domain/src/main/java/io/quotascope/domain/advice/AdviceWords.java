package io.quotascope.domain.advice;

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
    public static List<String> of(
            Decision decision, Candidate candidate, double rightSizing, double byFixes) {
        List<String> words = new ArrayList<>();
        words.add(size(decision, candidate));
        words.add(throttling(decision, candidate));
        double freed = rightSizing + byFixes;
        if (candidate.reached() && freed < -0.005) {
            words.add(
                    text(
                            "needs %.2f cores more than the %.2f that are reserved",
                            -freed, decision.service().reservedCores()));
        } else if (candidate.reached() && byFixes < -0.005) {
            words.add(text("needs %.2f cores more than the service without it", -byFixes));
        }
        candidate
                .fixes()
                .ifPresent(
                        set ->
                                words.add(
                                        text(
                                                "the same reservation carries %.2f times the load (%.2f .. %.2f)",
                                                set.gain(), set.gainLow(), set.gainHigh())));
        if (rightSizing >= 0) {
            words.add(
                    text(
                            "%.2f of %.2f reserved cores are free without any fix at headroom %.1f",
                            rightSizing,
                            decision.service().reservedCores(),
                            decision.target().headroom()));
        }
        if (decision.target().peakMultiple() > 1) {
            words.add(
                    text(
                            "sized for %.2f times the load of the horizon, its peak of two weeks",
                            decision.target().peakMultiple()));
        }
        words.add(
                candidate.headroom().isPresent()
                        ? text(
                                "a shard then collapses at %.2f times its peak",
                                candidate.headroom().getAsDouble())
                        : "headroom after the change is not known");
        return words;
    }

    /** Which of the three decides: gain model, floor or target. */
    private static String size(Decision decision, Candidate candidate) {
        Service service = decision.service();
        Target target = decision.target();
        if (!candidate.reached()) {
            return text(
                    "no quota up to four times today's reaches the target of %.1f %% throttled and headroom %.1f, so nothing is given back",
                    100 * target.throttledPeriodRatio(), target.headroom());
        }
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
                            "%.2f cores stay: the replay of the whole setting at peak decides, less would miss the target of %.1f %% throttled and headroom %.1f",
                            candidate.cores(),
                            100 * target.throttledPeriodRatio(),
                            target.headroom());
            case WHOLE_CPUS ->
                    text(
                            "%.0f whole CPUs for each of %d shards: rounding up decides what must stay for them",
                            candidate.setting().cores(), service.provisioning().shards());
            case AS_IT_IS -> "what is reserved is what it needs: no cut is worth the work";
        };
    }

    private static String throttling(Decision decision, Candidate candidate) {
        RatioEstimate after = candidate.after().throttledPeriodRatio();
        return text(
                "throttled periods at peak: %.1f %% now, %.1f %% (%.1f .. %.1f %%) after",
                100 * decision.now().throttledPeriodRatio().value(),
                100 * after.value(),
                100 * after.low(),
                100 * after.high());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
