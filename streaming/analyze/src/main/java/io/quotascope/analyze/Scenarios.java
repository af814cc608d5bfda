package io.quotascope.analyze;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.Situation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is asked about every service: settings that an owner or an operator can really change. */
final class Scenarios {
    private static final double[] QUOTAS = {0.5, 0.75, 1.5, 2};
    private static final long[] PERIODS_US = {20_000, 50_000, 200_000};
    private static final double[] LOADS = {1.3, 1.6, 2};
    private static final double WHOLE_UP_TO = 1.05;

    private Scenarios() {}

    /** Scenarios by name, the present one first. */
    static Map<String, Scenario> of(Subject subject, Situation now) {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        // Without counters there is nothing to tie the present to: it is a replay like the others.
        scenarios.put(
                "as it is",
                subject.quota().isPresent() && !subject.throttlingMeasured()
                        ? new Scenario.SetQuota(subject.quota().get())
                        : new Scenario.AsItIs());
        subject.quota().ifPresent(quota -> limited(subject, quota, scenarios));
        if (subject.quota().isEmpty()) {
            unlimited(now, scenarios);
        }
        for (double load : LOADS) {
            scenarios.put(
                    "load x" + plain(load),
                    kept(subject, new Scenario.Load(load, DemandSeries.INDEPENDENT)));
        }
        return scenarios;
    }

    private static void limited(
            Subject subject, CpuLimit.Quota quota, Map<String, Scenario> scenarios) {
        double cores = quota.quotaUs() / (double) quota.periodUs();
        for (double factor : QUOTAS) {
            scenarios.put(
                    text("quota %.2f cores", factor * cores),
                    new Scenario.SetQuota(scaled(quota, factor, quota.periodUs())));
        }
        for (long period : PERIODS_US) {
            if (period != quota.periodUs()) {
                scenarios.put(
                        "period " + period / 1_000 + " ms",
                        new Scenario.SetQuota(
                                scaled(quota, period / (double) quota.periodUs(), period)));
            }
        }
        scenarios.put(
                text("burst of one quota, %d ms", quota.quotaUs() / 1_000),
                new Scenario.SetQuota(
                        new CpuLimit.Quota(quota.quotaUs(), quota.periodUs(), quota.quotaUs(), 0)));
        int whole = (int) Math.max(1, Math.ceil(cores));
        scenarios.put(
                "at most " + whole + " threads run at once",
                kept(subject, new Scenario.PoolThreads(whole)));
        scenarios.put(whole + " whole CPUs, no quota", new Scenario.WholeCpus(whole));
    }

    /** A change that keeps the quota, also where the present is a replay without one. */
    private static Scenario kept(Subject subject, Scenario change) {
        return subject.quota().isEmpty() || subject.throttlingMeasured()
                ? change
                : new Scenario.Together(
                        List.of(new Scenario.SetQuota(subject.quota().get()), change));
    }

    private static void unlimited(Situation now, Map<String, Scenario> scenarios) {
        double mean = now.demand().meanCores();
        for (double factor : new double[] {1.25, 2, 4}) {
            long quotaUs = Math.max(1_000, Math.round(mean * factor * 100_000));
            scenarios.put(
                    text("quota %.2f cores (%sx its mean)", quotaUs / 1e5, plain(factor)),
                    new Scenario.SetQuota(new CpuLimit.Quota(quotaUs, 100_000, 0, 0)));
        }
    }

    private static CpuLimit.Quota scaled(CpuLimit.Quota quota, double factor, long periodUs) {
        return new CpuLimit.Quota(
                Math.max(1, Math.round(quota.quotaUs() * factor)),
                periodUs,
                quota.burstUs(),
                quota.phaseUs() % periodUs);
    }

    /** Fixes whose joint gains are worth knowing; none without a quota. */
    static List<Fix> fixes(Subject subject) {
        List<Fix> fixes = new ArrayList<>();
        subject.quota()
                .ifPresent(
                        quota -> {
                            int whole =
                                    (int)
                                            Math.max(
                                                    1,
                                                    Math.ceil(
                                                            quota.quotaUs()
                                                                    / (double) quota.periodUs()));
                            fixes.add(Fix.pools(whole));
                            fixes.add(Fix.burst(quota.quotaUs()));
                            // Whole CPUs for a fraction of one are more, not the same quota.
                            if (whole * (double) quota.periodUs()
                                    <= WHOLE_UP_TO * quota.quotaUs()) {
                                fixes.add(Fix.pinning(whole));
                            }
                        });
        return fixes;
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? text("%.0f", number) : String.valueOf(number);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
