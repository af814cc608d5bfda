package io.quotascope.validate.score;

import io.quotascope.validate.estimate.Baselines;
import io.quotascope.validate.estimate.Estimator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Who is a baseline. */
final class Names {
    private static final Set<String> BASELINES =
            Baselines.all().stream().map(Estimator::name).collect(Collectors.toSet());

    private Names() {}

    static boolean isBaseline(String estimator) {
        return BASELINES.contains(estimator);
    }

    /** A baseline looks at one thing: it is asked once, not for every kind of input. */
    static List<Estimator> asked(List<Estimator> estimators, boolean firstKind) {
        return estimators.stream().filter(one -> firstKind || !isBaseline(one.name())).toList();
    }
}
