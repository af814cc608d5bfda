package io.quotascope.domain.analysis;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.HostRoom;
import io.quotascope.domain.whatif.LoadExponent;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.ShardCorrelation;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.whatif.TimeStructure;
import io.quotascope.domain.whatif.advice.Setting;
import io.quotascope.domain.window.ServiceSums;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What is asked about every service: settings that an owner or an operator can really change, and
 * loads that may come. The present setting comes first.
 */
public final class ScenarioGrid {
    private static final double[] QUOTAS = {0.5, 0.75, 1.25, 1.5, 2};
    private static final long[] PERIODS_US = {20_000, 50_000, 200_000};
    private static final double[] HOST_LOADS = {0.5, 0.8};
    private static final double[] LOADS = {1.3, 1.6, 2};
    private static final double[] QUOTAS_OF_MEAN = {1.25, 2, 4};
    private static final long SLICE_US = 1_000;

    /** Correlation of two shards where the minutes do not tell. */
    private static final double CORRELATION_ASSUMED = 0.5;

    private final Ground ground;
    private final Situation now;
    private final int hostCpus;
    private final List<Asked> asked = new ArrayList<>();

    /**
     * One change.
     *
     * @param name words that stay the same from analysis to analysis
     * @param kind kind of the change
     * @param scenario the change
     * @param setting what a platform would be told; absent where it has no word for it
     * @param doubts why its answer is less sure than its interval says, in words
     */
    public record Asked(
            String name,
            ScenarioKind kind,
            Scenario scenario,
            Optional<Setting> setting,
            List<String> doubts) {}

    /**
     * What decides which changes are asked about.
     *
     * @param quota quota in force; absent without one
     * @param reservedCores cores reserved for a shard; absent = not known
     * @param shards shards of the class
     * @param minutes sums of the horizon, oldest first
     */
    public record Ground(
            Optional<CpuLimit.Quota> quota,
            OptionalDouble reservedCores,
            int shards,
            List<ServiceSums> minutes) {
        /** Minutes that cannot change any more. */
        public Ground {
            minutes = List.copyOf(minutes);
        }

        static Ground of(HorizonEvidence evidence) {
            return new Ground(
                    evidence.quota(),
                    evidence.scope().reservedCores(),
                    evidence.scope().shards(),
                    evidence.minutes());
        }
    }

    private ScenarioGrid(Ground ground, Situation now) {
        this.ground = ground;
        this.now = now;
        this.hostCpus = (int) Math.max(1, Math.round(now.capCores()));
    }

    /** All changes for a service. */
    public static List<Asked> of(Ground ground, Situation now) {
        ScenarioGrid grid = new ScenarioGrid(ground, now);
        boolean replayed = ground.quota().isPresent() && now.quota().isEmpty();
        // Without counters there is nothing to tie the present to: it is a replay like the others.
        grid.add(
                "as it is",
                ScenarioKind.AS_IT_IS,
                replayed ? new Scenario.SetQuota(ground.quota().get()) : new Scenario.AsItIs());
        ground.quota().ifPresentOrElse(grid::limited, grid::unlimited);
        grid.shards();
        grid.loads();
        return List.copyOf(grid.asked);
    }

    private void limited(CpuLimit.Quota quota) {
        double cores = quota.quotaUs() / (double) quota.periodUs();
        for (double factor : QUOTAS) {
            setQuota(
                    text("quota %.2f cores (x%s)", factor * cores, plain(factor)),
                    ScenarioKind.QUOTA,
                    scaled(quota, factor, quota.periodUs()));
        }
        OptionalDouble reserved = ground.reservedCores();
        if (reserved.isPresent() && Math.abs(reserved.getAsDouble() / cores - 1) > 0.01) {
            setQuota(
                    text("quota %.2f cores (twice the reservation)", 2 * reserved.getAsDouble()),
                    ScenarioKind.QUOTA,
                    Scenario.SetQuota.ofReservation(quota, reserved.getAsDouble(), 2).quota());
        }
        for (long period : PERIODS_US) {
            if (period != quota.periodUs()) {
                setQuota(
                        "period " + period / 1_000 + " ms",
                        ScenarioKind.PERIOD,
                        scaled(quota, period / (double) quota.periodUs(), period));
            }
        }
        add(
                "bandwidth slice 1 ms",
                ScenarioKind.BANDWIDTH_SLICE,
                kept(new Scenario.BandwidthSlice(SLICE_US)));
        setQuota(
                text("burst of one quota, %s ms", plain(quota.quotaUs() / 1e3)),
                ScenarioKind.BURST,
                new CpuLimit.Quota(quota.quotaUs(), quota.periodUs(), quota.quotaUs(), 0));
        capped(quota, (int) Math.max(1, Math.ceil(cores)));
        for (double load : HOST_LOADS) {
            add(
                    text("no quota on hosts %.0f %% busy", 100 * load),
                    ScenarioKind.NO_QUOTA,
                    new Scenario.NoQuota(room(load)));
        }
    }

    private void capped(CpuLimit.Quota quota, int whole) {
        add(
                "at most " + counted(whole, "core") + " at once, no quota",
                ScenarioKind.CONCURRENCY_CAP,
                new Scenario.ConcurrencyCap(whole));
        asked.add(
                new Asked(
                        "at most "
                                + counted(whole, "thread")
                                + (whole == 1 ? " runs" : " run")
                                + " at once",
                        ScenarioKind.POOL_THREADS,
                        kept(new Scenario.PoolThreads(whole)),
                        Optional.of(new Setting(quota, OptionalInt.of(whole), false)),
                        List.of()));
        CpuLimit.Quota cpus = new CpuLimit.Quota(whole * quota.periodUs(), quota.periodUs(), 0, 0);
        asked.add(
                new Asked(
                        counted(whole, "whole CPU") + ", no quota",
                        ScenarioKind.PINNING,
                        new Scenario.WholeCpus(whole),
                        Optional.of(new Setting(cpus, OptionalInt.empty(), true)),
                        List.of()));
    }

    private static String counted(int many, String what) {
        return many + " " + what + (many == 1 ? "" : "s");
    }

    private void unlimited() {
        double mean = now.demand().meanCores();
        for (double factor : QUOTAS_OF_MEAN) {
            long quotaUs = Math.max(1_000, Math.round(mean * factor * 100_000));
            setQuota(
                    text("a quota of %s times its mean use", plain(factor)),
                    ScenarioKind.QUOTA,
                    new CpuLimit.Quota(quotaUs, 100_000, 0, 0));
        }
    }

    private void shards() {
        if (ground.shards() > 1) {
            OptionalDouble measured = ShardCorrelation.of(ground.minutes());
            asked.add(
                    new Asked(
                            "two shards in one",
                            ScenarioKind.CONSOLIDATION,
                            kept(new Scenario.Consolidate(2, measured.orElse(CORRELATION_ASSUMED))),
                            Optional.empty(),
                            measured.isPresent()
                                    ? List.of()
                                    : List.of(
                                            "fewer than ten minutes: the correlation of two shards was assumed")));
        }
        add("each shard in two", ScenarioKind.SPLIT, kept(new Scenario.Split(2)));
    }

    private void loads() {
        OptionalDouble fitted = LoadExponent.fit(swings(ground.minutes()));
        for (double load : LOADS) {
            add(
                    "load x" + plain(load),
                    ScenarioKind.LOAD,
                    kept(new Scenario.Load(load, fitted.orElse(DemandSeries.INDEPENDENT))));
        }
    }

    private static List<LoadExponent.Minute> swings(List<ServiceSums> minutes) {
        return minutes.stream()
                .flatMap(
                        minute ->
                                Cadence.loadOf(minute)
                                        .map(
                                                load ->
                                                        new LoadExponent.Minute(
                                                                load.usedCores(),
                                                                Math.sqrt(
                                                                        TimeStructure.of(
                                                                                        minute
                                                                                                .secondOrder())
                                                                                .variance())))
                                        .stream())
                .toList();
    }

    /** A change that keeps the quota, also where the present is a replay without one. */
    private Scenario kept(Scenario change) {
        return ground.quota().isEmpty() || now.quota().isPresent()
                ? change
                : new Scenario.Together(
                        List.of(new Scenario.SetQuota(ground.quota().get()), change));
    }

    /** A host that is so busy in its busiest hundredth, our shard's own use included. */
    private HostRoom room(double load) {
        BucketTally busy = new BucketTally();
        busy.add(UsageLayout.bucket(Math.round(load * hostCpus * 1e6), 1_000_000), 1);
        return new HostRoom(hostCpus, busy.toCounts(), now.demand().meanCores());
    }

    private void add(String name, ScenarioKind kind, Scenario scenario) {
        asked.add(new Asked(name, kind, scenario, Optional.empty(), List.of()));
    }

    private void setQuota(String name, ScenarioKind kind, CpuLimit.Quota quota) {
        asked.add(
                new Asked(
                        name,
                        kind,
                        new Scenario.SetQuota(quota),
                        Optional.of(new Setting(quota, OptionalInt.empty(), false)),
                        List.of()));
    }

    private static CpuLimit.Quota scaled(CpuLimit.Quota quota, double factor, long periodUs) {
        return new CpuLimit.Quota(
                Math.max(1, Math.round(quota.quotaUs() * factor)),
                periodUs,
                quota.burstUs(),
                quota.phaseUs() % periodUs);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? text("%.0f", number) : String.valueOf(number);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
