package io.quotascope.validate.population;

import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import java.util.ArrayList;
import java.util.List;

/**
 * The population that lines are rehearsed on before they are judged: a line that is chosen among
 * others should be right on demand of more than one family. Nothing here wanders as in {@link
 * Development}, and nothing is of the kinds of {@link Holdout}: rates walk over levels, swing like
 * tides, or jump and decay; light requests come with rare heavy ones, narrow ones with wide ones.
 */
public final class Rehearsal {
    private static final long SEED = 3_141_593;

    /** The largest quota, as in the other populations. */
    public static final double QUOTA_CORES = 20;

    private static final int SLOTS = 6_000;
    private static final double SLOT_US = 10_000;

    private Rehearsal() {}

    /**
     * So many services that may collapse, of five kinds in turn.
     *
     * @param quotaCoresMost quotas lie between one core and so many; with less than 1 between that
     *     and one core
     */
    public static List<Subject> of(int count, double quotaCoresMost) {
        List<Subject> all = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            all.add(draw(number, new Chance(SEED, number), quotaCoresMost));
        }
        return all;
    }

    private static Subject draw(int number, Chance chance, double quotaCoresMost) {
        Frame frame = new Frame(chance, quotaCoresMost);
        double meanUs = chance.factor(500, 15_000);
        int fanOut = chance.whole(chance.uniform(1, 1.5 * frame.quotaCores()));
        List<RequestClass> kinds =
                switch (number % 5) {
                    case 0 -> one(levels(chance), meanUs, fanOut, chance);
                    case 1 -> one(tides(chance), meanUs, fanOut, chance);
                    case 2 -> one(jumps(chance), meanUs, fanOut, chance);
                    case 3 -> lightAndHeavy(chance, meanUs);
                    default -> narrowAndWide(chance, meanUs, frame.quotaCores());
                };
        String family =
                List.of("levels", "tides", "jumps", "light and heavy", "narrow and wide")
                        .get(number % 5);
        return frame.subject("r" + number + " " + family, kinds, chance.uniform(0.2, 0.85));
    }

    private static List<RequestClass> one(
            List<Double> rates, double meanUs, int fanOut, Chance chance) {
        WorkLaw work =
                chance.happens(0.5)
                        ? new WorkLaw.Exponential(meanUs, 8)
                        : new WorkLaw.LogNormal(meanUs, chance.uniform(0.2, 1));
        return List.of(new RequestClass(new ArrivalLaw.Recorded(rates), 1, fanOut, work));
    }

    /** A rate that stays at one of a few levels and then takes another. */
    private static List<Double> levels(Chance chance) {
        int levels = chance.whole(chance.uniform(2.5, 6.5));
        double[] rates = new double[levels];
        for (int level = 0; level < levels; level++) {
            rates[level] = chance.factor(0.3, 2.5);
        }
        double stayUs = chance.factor(50_000, 3_000_000);
        List<Double> slots = new ArrayList<>();
        int level = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            if (chance.happens(SLOT_US / stayUs)) {
                level = Math.min(levels - 1, (int) chance.uniform(0, levels));
            }
            slots.add(rates[level]);
        }
        return slots;
    }

    /** Two waves of different periods on a base. */
    private static List<Double> tides(Chance chance) {
        double slowUs = chance.factor(1_000_000, 20_000_000);
        double fastUs = chance.factor(100_000, 2_000_000);
        double depth = chance.uniform(0.1, 0.9);
        double share = chance.uniform(0, 1);
        List<Double> slots = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            double turns = 2 * Math.PI * slot * SLOT_US;
            double wave =
                    share * StrictMath.sin(turns / slowUs)
                            + (1 - share) * StrictMath.sin(turns / fastUs);
            slots.add(1 + depth * wave);
        }
        return slots;
    }

    /** Jumps at random instants, each of which decays. */
    private static List<Double> jumps(Chance chance) {
        double everyUs = chance.factor(200_000, 5_000_000);
        double decayUs = chance.factor(30_000, 1_000_000);
        double height = chance.factor(0.3, 4);
        double left = StrictMath.exp(-SLOT_US / decayUs);
        List<Double> slots = new ArrayList<>();
        double above = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            above *= left;
            if (chance.happens(SLOT_US / everyUs)) {
                above += height * chance.uniform(0.2, 1.8);
            }
            slots.add(1 + above);
        }
        return slots;
    }

    /** Rare requests of much work among light ones. */
    private static List<RequestClass> lightAndHeavy(Chance chance, double meanUs) {
        double heavier = chance.factor(4, 30);
        double share = chance.uniform(0.1, 0.6);
        double heavyRate = share / (1 - share) / heavier;
        return List.of(
                new RequestClass(
                        new ArrivalLaw.Steady(1), 1, 1, new WorkLaw.LogNormal(meanUs / 3, 0.5)),
                new RequestClass(
                        new ArrivalLaw.Steady(heavyRate),
                        1,
                        1,
                        new WorkLaw.LogNormal(heavier * meanUs / 3, 0.5)));
    }

    /** Requests of one task, and some that fill the quota at once. */
    private static List<RequestClass> narrowAndWide(
            Chance chance, double meanUs, double quotaCores) {
        int wide = chance.whole(quotaCores * chance.uniform(1, 3));
        double share = chance.uniform(0.1, 0.7);
        double wideRate = share / (1 - share) / wide;
        WorkLaw work = new WorkLaw.Exponential(meanUs, 8);
        return List.of(
                new RequestClass(new ArrivalLaw.Steady(1), 1, 1, work),
                new RequestClass(new ArrivalLaw.Steady(wideRate), wide, wide, work));
    }
}
