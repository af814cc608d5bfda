package io.quotascope.domain.whatif;

import java.util.List;

/**
 * How far an outcome can be believed.
 *
 * @param verdict in one word
 * @param reasons why not more
 */
public record Trust(Verdict verdict, List<Reason> reasons) {
    /** A list that cannot change any more. */
    public Trust {
        reasons = List.copyOf(reasons);
    }

    /** In one word. */
    public enum Verdict {
        /** Nothing known speaks against the interval. */
        SOUND,
        /** The interval is wider or may be too narrow, for the reasons given. */
        DOUBTFUL,
        /** The number should not be acted on. */
        UNUSABLE
    }

    /** Why an outcome is less sure. */
    public enum Reason {
        /** More than a quarter of the periods were throttled: demand is hidden behind the quota. */
        CENSORED(Verdict.DOUBTFUL, "more than 25 % of periods were throttled: demand is hidden"),
        /** Practically every period was throttled: demand cannot be seen at all. */
        SATURATED(Verdict.UNUSABLE, "more than 90 % of periods were throttled: demand is unseen"),
        /** Less than a minute of one shard's time. */
        TOO_LITTLE_DATA(Verdict.DOUBTFUL, "less than 60 s measured: rare peaks may be missing"),
        /** Less than ten seconds of one shard's time. */
        FAR_TOO_LITTLE_DATA(Verdict.UNUSABLE, "less than 10 s measured"),
        /** What happens within a slot of 10 ms decides, and it was not measured. */
        SHORT_PERIOD(Verdict.DOUBTFUL, "a period of 20 ms or less is decided inside 10 ms samples"),
        /** A period shorter than a sample. */
        PERIOD_BELOW_SAMPLE(Verdict.UNUSABLE, "the period is shorter than a sample of 10 ms"),
        /** Samples were read at timer ticks and are wrong by up to a tick's charge. */
        POLLED(Verdict.DOUBTFUL, "samples were polled: each may be wrong by a tick's charge"),
        /** Without second-order sums samples are taken to be independent. */
        NO_TIME_STRUCTURE(
                Verdict.UNUSABLE, "no second-order sums: the order of samples is unknown"),
        /** The model has no such thing. */
        OUTSIDE_MODEL(
                Verdict.DOUBTFUL,
                "another bandwidth slice hardly changes the ratio: no change is shown, only how far one may go"),
        /** Work that grows dearer with concurrency would throttle otherwise than shown. */
        COST_UNKNOWN(
                Verdict.DOUBTFUL,
                "whether work grows dearer with concurrency is not known, and here it decides"),
        /** How chance grows with load was assumed. */
        GROWTH_ASSUMED(Verdict.DOUBTFUL, "how variation grows with load was assumed, not fitted"),
        /** A great leap of load. */
        FAR_LOAD(Verdict.DOUBTFUL, "load is more than doubled or halved"),
        /** The correlation between shards decides what consolidation brings. */
        SHARDS_MERGED(Verdict.DOUBTFUL, "the correlation between shards decides"),
        /** What throttles is not the demand. */
        KERNEL_LOSES_QUOTA(
                Verdict.UNUSABLE,
                "the kernel loses quota of this service: what is shown is what a mended kernel would give"),
        /** A minute may hold no period of the quota in force. */
        NEVER_LIMITED(Verdict.DOUBTFUL, "measured without quota: no throttling to compare with");

        private final Verdict worst;
        private final String words;

        Reason(Verdict worst, String words) {
            this.worst = worst;
            this.words = words;
        }

        /** The best verdict that this reason allows. */
        public Verdict worst() {
            return worst;
        }

        /** For a person. */
        public String words() {
            return words;
        }
    }

    /** The verdict that the gravest of these reasons allows. */
    public static Trust because(List<Reason> reasons) {
        Verdict verdict = Verdict.SOUND;
        for (Reason reason : reasons) {
            if (reason.worst().compareTo(verdict) > 0) {
                verdict = reason.worst();
            }
        }
        return new Trust(verdict, reasons);
    }
}
