package io.quotascope.validate.population;

import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import java.util.ArrayList;
import java.util.List;

/**
 * The population held out. Its demand is of kinds that no estimator here assumes: recorded traces,
 * sources that switch on and off with exponential and with heavy-tailed stays, heavy-tailed work,
 * clumps, batch schedules. Nothing wanders like an Ornstein-Uhlenbeck process.
 */
public final class Holdout {
    private static final long SEED = 7_700_417;

    private Holdout() {}

    /**
     * So many services of each kind.
     *
     * @param traces used cores in slots of 10 ms, each a recording
     */
    public static Population of(
            List<List<Double>> traces, int configured, int collapsible, int tunable) {
        List<Subject> first = new ArrayList<>();
        for (int number = 0; number < configured; number++) {
            first.add(draw("h" + number, traces, number, new Chance(SEED, number), 32));
        }
        List<Subject> second = new ArrayList<>();
        for (int number = 0; number < collapsible; number++) {
            Chance chance = new Chance(SEED, 10_000 + number);
            second.add(draw("k" + number, traces, number, chance, 20));
        }
        return new Population("holdout", first, second, ServiceOne.draw(SEED, tunable));
    }

    private static Subject draw(
            String name, List<List<Double>> traces, int number, Chance chance, double coresMax) {
        Frame frame = new Frame(chance, coresMax);
        int fanOut = chance.whole(chance.uniform(1, frame.quotaCores()));
        double meanUs = chance.factor(500, 15_000);
        List<RequestClass> kinds =
                switch (number % 5) {
                    case 0 -> recorded(traces, chance, meanUs, fanOut);
                    case 1 -> onOff(chance, meanUs, fanOut, 0);
                    case 2 -> onOff(chance, meanUs, fanOut, chance.uniform(1.4, 2.2));
                    case 3 -> heavyWork(chance, meanUs);
                    default -> batches(chance, meanUs, fanOut);
                };
        String family =
                List.of("recorded", "on-off", "heavy on-off", "heavy work", "batch")
                        .get(number % 5);
        return frame.subject(name + " " + family, kinds, chance.uniform(0.2, 0.85));
    }

    private static List<RequestClass> recorded(
            List<List<Double>> traces, Chance chance, double meanUs, int fanOut) {
        List<Double> trace = traces.get((int) chance.uniform(0, traces.size()));
        // Another beginning for each service; the recording goes round.
        int shift = (int) chance.uniform(0, trace.size());
        List<Double> rates = new ArrayList<>(trace.subList(shift, trace.size()));
        rates.addAll(trace.subList(0, shift));
        ArrivalLaw law = new ArrivalLaw.Recorded(rates);
        return List.of(new RequestClass(law, 1, fanOut, new WorkLaw.Fixed(meanUs)));
    }

    private static List<RequestClass> onOff(
            Chance chance, double meanUs, int fanOut, double tailShape) {
        ArrivalLaw law =
                new ArrivalLaw.OnOff(
                        1,
                        chance.uniform(0.1, 0.7),
                        (long) chance.factor(30_000, 1_000_000),
                        (long) chance.factor(50_000, 2_000_000),
                        tailShape);
        return List.of(new RequestClass(law, 1, fanOut, new WorkLaw.Exponential(meanUs, 8)));
    }

    private static List<RequestClass> heavyWork(Chance chance, double meanUs) {
        WorkLaw heavy = new WorkLaw.Pareto(meanUs, chance.uniform(1.5, 2.5), 100);
        ArrivalLaw law =
                new ArrivalLaw.Clumps(1, chance.uniform(1, 8), (long) chance.factor(100, 20_000));
        return List.of(new RequestClass(law, 1, 1, heavy));
    }

    private static List<RequestClass> batches(Chance chance, double meanUs, int fanOut) {
        long everyUs = (long) chance.factor(200_000, 3_000_000);
        // The batch offers a tenth to a half of the work.
        double share = chance.uniform(0.1, 0.5);
        RequestClass steady =
                new RequestClass(
                        new ArrivalLaw.Steady(1), 1, fanOut, new WorkLaw.Exponential(meanUs, 8));
        double batchUs = chance.factor(500, 8_000);
        double perBatch = share / (1 - share) * steady.offeredCores() * everyUs / batchUs;
        RequestClass batch =
                new RequestClass(
                        new ArrivalLaw.Schedule(
                                everyUs / 2,
                                everyUs,
                                perBatch,
                                (long) chance.factor(1_000, 100_000)),
                        1,
                        1,
                        new WorkLaw.Exponential(batchUs, 8));
        return List.of(steady, batch);
    }
}
