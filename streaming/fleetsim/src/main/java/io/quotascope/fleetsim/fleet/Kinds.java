package io.quotascope.fleetsim.fleet;

import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Collections;
import io.quotascope.domain.cfs.service.Loop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws the kinds of service that a fleet has. */
final class Kinds {
    private static final int HOST_CPUS = 32;
    private static final long STREAM = 1_000;

    private Kinds() {}

    /** Every kind of every flaw. */
    static List<Kind> draw(long seed) {
        List<Kind> kinds = new ArrayList<>();
        for (Flaw flaw : Flaw.values()) {
            for (int number = 0; number < flaw.kinds(); number++) {
                Chance chance = new Chance(seed, STREAM + 100L * flaw.ordinal() + number);
                kinds.add(draw(flaw.label() + '-' + number, flaw, chance));
            }
        }
        return kinds;
    }

    private static Kind draw(String name, Flaw flaw, Chance chance) {
        double quota = quotaCores(flaw, chance);
        boolean bursts = flaw == Flaw.POOL || flaw == Flaw.TINY;
        int fanOut = flaw == Flaw.POOL ? (int) Math.max(2, Math.round(2 * quota)) : 1;
        WorkLaw work = new WorkLaw.LogNormal(chance.factor(2_000, 8_000), chance.uniform(0.2, 0.7));
        ArrivalLaw law =
                bursts
                        ? new ArrivalLaw.Clumps(1, chance.uniform(4, 10), 20_000)
                        : new ArrivalLaw.Modulated(
                                1, chance.uniform(0.05, 0.2), (long) chance.factor(1e5, 3e6));
        RequestClass unscaled = new RequestClass(law, 1, fanOut, work);
        RequestClass requests = unscaled.with(times(law, quota / unscaled.offeredCores()));
        return new Kind(
                name,
                flaw,
                HOST_CPUS,
                new Setting(
                        Math.round(quota * Setting.PERIOD_US),
                        Setting.PERIOD_US,
                        poolThreads(flaw, quota, chance)),
                requests,
                new Client(1_000L * Math.round(chance.factor(200, 1_000)), chance.below(4), 50_000),
                collections(flaw, quota, chance),
                loops(flaw, quota, chance),
                meanLoad(flaw, chance),
                flaw != Flaw.INTENDED && flaw != Flaw.SPREAD);
    }

    private static List<Loop> loops(Flaw flaw, double quota, Chance chance) {
        return switch (flaw) {
            case INTENDED -> List.of(Loop.steady((int) Math.ceil(quota) + 1, 50_000, 2_000));
            case SPREAD -> List.of(Loop.steady(30, (long) chance.uniform(80, 140), 60_000));
            default -> List.of();
        };
    }

    private static double quotaCores(Flaw flaw, Chance chance) {
        double cores =
                switch (flaw) {
                    case TINY -> 0.1;
                    case OVER_RESERVED -> chance.factor(3, 6);
                    case INTENDED -> 1;
                    case SPREAD -> 0.3;
                    default -> chance.factor(1, 4);
                };
        return Math.round(10 * cores) / 10.0;
    }

    private static int poolThreads(Flaw flaw, double quota, Chance chance) {
        double perCore =
                switch (flaw) {
                    case POOL -> chance.uniform(8, 14);
                    case TINY -> 40;
                    case SMALL_QUOTA -> chance.uniform(1.5, 2.5);
                    default -> 1;
                };
        return (int) Math.max(1, Math.round(perCore * quota));
    }

    private static Optional<Collections> collections(Flaw flaw, double quota, Chance chance) {
        if (flaw != Flaw.COLLECTIONS) {
            return Optional.empty();
        }
        // A tenth of the quota goes into collecting, all of it at once.
        int threads = HOST_CPUS;
        long burnUs = (long) chance.factor(6_000, 15_000);
        return Optional.of(
                new Collections((long) (threads * burnUs / (0.1 * quota)), threads, burnUs));
    }

    private static double meanLoad(Flaw flaw, Chance chance) {
        return switch (flaw) {
            case NONE, COLLECTIONS -> chance.uniform(0.22, 0.4);
            case POOL -> chance.uniform(0.25, 0.4);
            case SMALL_QUOTA -> chance.uniform(0.6, 0.75);
            case OVER_RESERVED -> chance.uniform(0.05, 0.09);
            case TINY -> chance.uniform(0.25, 0.4);
            case INTENDED, SPREAD -> 0.05;
        };
    }

    private static ArrivalLaw times(ArrivalLaw law, double scale) {
        if (law instanceof ArrivalLaw.Clumps clumps) {
            return new ArrivalLaw.Clumps(
                    scale * clumps.clumpsPerSecond(), clumps.requests(), clumps.withinUs());
        }
        ArrivalLaw.Modulated modulated = (ArrivalLaw.Modulated) law;
        return new ArrivalLaw.Modulated(
                scale * modulated.perSecond(), modulated.logSd(), modulated.correlationUs());
    }
}
