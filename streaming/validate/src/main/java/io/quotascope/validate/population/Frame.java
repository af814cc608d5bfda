package io.quotascope.validate.population;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Collections;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.ServicePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What services of both populations have in common: host, quota, kernel, threads and clients. */
final class Frame {
    private static final int QUEUE_TASKS = 1_000_000;
    private static final long PERIOD_US = 100_000;
    private static final double COLLECTED_SHARE_MAX = 0.1;

    private final Chance chance;
    private final double quotaCores;
    private final int hostCpus;

    Frame(Chance chance, double quotaCoresMax) {
        this.chance = chance;
        // Tenths of a core, as people write them.
        quotaCores = Math.round(10 * chance.factor(1, quotaCoresMax)) / 10.0;
        hostCpus = chance.oneOf(32, 48, 64, 96);
    }

    double quotaCores() {
        return quotaCores;
    }

    /** A service whose kinds of requests together offer a share of the quota at load 1. */
    Subject subject(String name, List<RequestClass> kinds, double utilization) {
        double unscaled = kinds.stream().mapToDouble(RequestClass::offeredCores).sum();
        double scale = utilization * quotaCores / unscaled;
        List<RequestClass> scaled = new ArrayList<>();
        for (RequestClass kind : kinds) {
            scaled.add(kind.with(times(kind.arrivals(), scale)));
        }
        long quotaUs = Math.round(quotaCores * PERIOD_US);
        long phaseUs = 1_000 * (long) chance.uniform(0, PERIOD_US / 1_000.0);
        ServicePlan plan =
                new ServicePlan(
                        new Client(
                                1_000L * chance.whole(chance.factor(100, 1_000)),
                                chance.whole(chance.uniform(0.5, 4.5)) - 1,
                                0),
                        List.of(
                                Pool.of(
                                        chance.whole(quotaCores * chance.factor(1.5, 8)),
                                        QUEUE_TASKS)),
                        collections(),
                        List.of());
        return new Subject(
                name,
                hostCpus,
                new CpuLimit.Quota(quotaUs, PERIOD_US, 0, phaseUs),
                KernelRules.EXACT.withTicks(chance.oneOf(250, 1_000)),
                new CpuCost(chance.oneOf(0.0, 0.3), quotaCores),
                plan,
                new OfferedLoad(scaled, LoadCurve.constant(1), chance.seed()),
                utilization);
    }

    private Optional<Collections> collections() {
        if (!chance.happens(0.4)) {
            return Optional.empty();
        }
        int threads = chance.whole(hostCpus * chance.uniform(0.1, 0.6));
        long burnUs = (long) chance.factor(1_000, 8_000);
        // Collections take at most a tenth of the quota.
        double everyLeastUs = threads * burnUs / (COLLECTED_SHARE_MAX * quotaCores);
        long everyUs = (long) Math.max(everyLeastUs, chance.factor(1_000_000, 10_000_000));
        return Optional.of(new Collections(everyUs, threads, burnUs));
    }

    private static ArrivalLaw times(ArrivalLaw law, double scale) {
        if (law instanceof ArrivalLaw.Steady steady) {
            return new ArrivalLaw.Steady(scale * steady.perSecond());
        }
        if (law instanceof ArrivalLaw.Modulated rate) {
            return new ArrivalLaw.Modulated(
                    scale * rate.perSecond(), rate.logSd(), rate.correlationUs());
        }
        if (law instanceof ArrivalLaw.OnOff rate) {
            return new ArrivalLaw.OnOff(
                    scale * rate.onPerSecond(),
                    scale * rate.offPerSecond(),
                    rate.onUs(),
                    rate.offUs(),
                    rate.tailShape());
        }
        if (law instanceof ArrivalLaw.Clumps clumps) {
            return new ArrivalLaw.Clumps(
                    scale * clumps.clumpsPerSecond(), clumps.requests(), clumps.withinUs());
        }
        if (law instanceof ArrivalLaw.Schedule batch) {
            return new ArrivalLaw.Schedule(
                    batch.firstUs(), batch.everyUs(), scale * batch.requests(), batch.withinUs());
        }
        if (law instanceof ArrivalLaw.Recorded recorded) {
            return new ArrivalLaw.Recorded(
                    recorded.slotPerSecond().stream().map(rate -> scale * rate).toList());
        }
        throw new IllegalArgumentException("cannot be scaled: " + law);
    }
}
