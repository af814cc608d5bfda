package io.quotascope.validate.estimators;

import io.quotascope.validate.estimate.Baselines;
import io.quotascope.validate.estimate.Estimator;
import java.util.ArrayList;
import java.util.List;

/** Everybody who is asked: baselines first, then the estimators of the domain. */
public final class Registry {
    private Registry() {}

    /** All of them, in the order of the table. */
    public static List<Estimator> all() {
        List<Estimator> all = new ArrayList<>(Baselines.all());
        all.addAll(domain());
        return List.copyOf(all);
    }

    private static List<Estimator> domain() {
        return List.of(new ReplayedDemand(), new ReplayedCliff(), new JobsAlarm());
    }
}
