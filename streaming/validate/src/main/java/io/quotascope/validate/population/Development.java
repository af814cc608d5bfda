package io.quotascope.validate.population;

import io.quotascope.domain.cfs.offered.ArrivalLaw;
import io.quotascope.domain.cfs.offered.RequestClass;
import io.quotascope.domain.cfs.offered.WorkLaw;
import java.util.ArrayList;
import java.util.List;

/** The population to develop on: wandering rates, exponential and log-normal work. */
public final class Development {
    private static final long SEED = 20_261_121;

    private Development() {}

    /** So many services of each kind. */
    public static Population of(int configured, int collapsible, int tunable) {
        List<Subject> first = new ArrayList<>();
        for (int number = 0; number < configured; number++) {
            first.add(draw("c" + number, new Chance(SEED, number), 32));
        }
        List<Subject> second = new ArrayList<>();
        for (int number = 0; number < collapsible; number++) {
            second.add(draw("l" + number, new Chance(SEED, 10_000 + number), 20));
        }
        return new Population("development", first, second, ServiceOne.draw(SEED, tunable));
    }

    private static Subject draw(String name, Chance chance, double quotaCoresMax) {
        Frame frame = new Frame(chance, quotaCoresMax);
        int fanOut =
                chance.happens(0.5) ? chance.whole(chance.uniform(1, 2 * frame.quotaCores())) : 1;
        double meanUs = chance.factor(500, 20_000);
        WorkLaw work =
                chance.happens(0.5)
                        ? new WorkLaw.Exponential(meanUs, 8)
                        : new WorkLaw.LogNormal(meanUs, chance.uniform(0.2, 1));
        ArrivalLaw law =
                new ArrivalLaw.Modulated(
                        1, chance.uniform(0, 0.5), (long) chance.factor(50_000, 5_000_000));
        return frame.subject(
                name, List.of(new RequestClass(law, 1, fanOut, work)), chance.uniform(0.2, 0.85));
    }
}
