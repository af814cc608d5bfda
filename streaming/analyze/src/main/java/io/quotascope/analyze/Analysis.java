package io.quotascope.analyze;

import io.quotascope.domain.advice.Decision;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.kernel.KernelFinding;
import io.quotascope.domain.kernel.StrandedQuota;
import io.quotascope.domain.risk.Cliff;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.Persistence;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ShardSituation;
import io.quotascope.domain.threads.ThreadAdvice;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.window.SamplingMethod;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.WindowPart;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every judgement that one service's windows allow.
 *
 * @param subject what was analysed
 * @param minutes sums by minute, oldest first
 * @param usage used cores over all samples
 * @param throttling bandwidth counters over all windows
 * @param demand where the demand comes from
 * @param whatIf outcomes by the name of the scenario, in order
 * @param cliff how near collapse is, of a shard with the mean load
 * @param shardLoads the same of all recorded shards; absent when there is only one
 * @param threads what to do about its threads
 * @param decision the recommended change and what it was chosen from; absent without a quota
 * @param kernel what version and behaviour say of the kernel; absent when the kernel is not known
 */
record Analysis(
        Subject subject,
        List<ServiceSums> minutes,
        BucketCounts usage,
        ThrottlingSums throttling,
        DemandSeries.Provenance demand,
        Map<String, Outcome> whatIf,
        Cliff cliff,
        Optional<ShardLoads> shardLoads,
        ThreadAdvice threads,
        Optional<Decision> decision,
        Optional<KernelFinding> kernel) {

    /** Analyses a service; absent when its windows hold no sample. */
    static Optional<Analysis> of(Subject subject) {
        List<ServiceSums> minutes = Minutes.of(subject.windows(), subject.hosts());
        Optional<DemandEvidence> evidence =
                DemandEvidence.of(
                        minutes,
                        subject.throttlingMeasured() ? subject.quota() : Optional.empty(),
                        subject.cpus(),
                        polled(subject));
        List<PackedBytes> exemplars =
                subject.windows().stream().flatMap(window -> window.exemplar().stream()).toList();
        return evidence.map(known -> of(subject, minutes, known.with(exemplars)));
    }

    private static Analysis of(Subject subject, List<ServiceSums> minutes, DemandEvidence known) {
        ServiceSums last = minutes.get(minutes.size() - 1);
        long end = last.windowStartUs() + WindowPart.MINUTE_US;
        Optional<DemandEnsemble> recorded =
                RecordedDemand.of(subject.windows(), known.throttledPeriodRatio());
        WhatIf whatIf =
                recorded.map(demand -> WhatIf.of(known, demand, 0))
                        .orElseGet(
                                () ->
                                        WhatIf.of(
                                                known,
                                                Reconstruction.seed(last.key().service(), end)));
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        Scenarios.of(subject, minutes, whatIf.now())
                .forEach((name, scenario) -> outcomes.put(name, whatIf.outcome(scenario)));
        ShardSituation shard =
                new ShardSituation(
                        whatIf.now().demand().series(),
                        allowance(subject, whatIf),
                        subject.clients(),
                        CostGrowth.NONE,
                        false,
                        Persistence.of(minutes));
        CliffSearch search = new CliffSearch(RiskPolicy.DEFAULT);
        BucketTally usage = new BucketTally();
        ThrottlingSums throttling = ThrottlingSums.ZERO;
        for (ServiceSums minute : minutes) {
            usage.add(minute.distributions().usage());
            throttling = throttling.plus(minute.throttling());
        }
        Cliff cliff = search.of(shard);
        Optional<ShardLoads> loads =
                ShardLoads.of(subject.windows(), cliff.collapse(), subject.redistribution());
        Multiple service = loads.map(seen -> seen.cliff().service()).orElse(cliff.collapse());
        Optional<Decision> decision =
                subject.quota().isPresent()
                        ? ServiceDecision.of(subject, minutes, whatIf, service, search)
                        : Optional.empty();
        return new Analysis(
                subject,
                minutes,
                usage.toCounts(),
                throttling,
                whatIf.now().demand().series().get(0).provenance(),
                outcomes,
                cliff,
                loads,
                ServiceThreads.advice(
                        subject,
                        minutes,
                        meanUsedCores(subject),
                        throttling.throttledPeriodRatio()),
                decision,
                kernel(subject));
    }

    /** What a shard may use, also where its throttling was not measured. */
    private static Allowance allowance(Subject subject, WhatIf whatIf) {
        return new Allowance(subject.quota(), whatIf.now().capCores());
    }

    private static boolean polled(Subject subject) {
        return subject.windows().stream()
                .anyMatch(window -> window.sampling().method() == SamplingMethod.TICK_POLL);
    }

    /** One observation a shard: consecutive windows of one setting telescope. */
    private static Optional<KernelFinding> kernel(Subject subject) {
        if (subject.kernelRelease().isEmpty() || subject.quota().isEmpty()) {
            return Optional.empty();
        }
        Map<Long, long[]> shards = new LinkedHashMap<>();
        for (ShardWindow window : subject.windows()) {
            long[] sums = shards.computeIfAbsent(window.shardId(), shard -> new long[3]);
            sums[0] += window.throttling().throttledPeriods().orElse(0);
            sums[1] += window.usage().usageUs();
            sums[2] += WindowPart.WINDOW_US;
        }
        List<StrandedQuota> seen = new ArrayList<>();
        for (long[] sums : shards.values()) {
            seen.add(
                    StrandedQuota.of(
                            new StrandedQuota.Observation(
                                    subject.quota().get().quotaUs(),
                                    sums[0],
                                    sums[1],
                                    (int) Math.ceil(subject.cpus()),
                                    subject.bandwidthSliceUs()
                                            .orElse(KernelRules.EXACT.bandwidthSliceUs()),
                                    sums[2])));
        }
        return Optional.of(KernelFinding.of(subject.kernelRelease().get(), seen));
    }

    /** Used cores at a share of the samples, counted in thousandths. */
    double usedCores(int perMille) {
        return usage.quantile(perMille, UsageLayout.V1).orElse(0);
    }

    /** Mean used cores of a shard over what was sampled. */
    double meanUsedCores() {
        return meanUsedCores(subject);
    }

    private static double meanUsedCores(Subject subject) {
        long usedUs = 0;
        long sampledUs = 0;
        for (ShardWindow window : subject.windows()) {
            usedUs += window.usage().sampledUsageUs();
            sampledUs += (long) window.sampling().samples() * window.sampling().sampleIntervalUs();
        }
        return usedUs / (double) sampledUs;
    }
}
