package io.quotascope.validate.estimators;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.validate.alerts.OwnRules;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Observation;
import java.util.Optional;

/**
 * The alert {@code cliff_near} as the jobs raise it: cadence, ten minutes of evidence, rescaled
 * cliff, as many minutes in a row as it takes to begin.
 */
final class JobsAlarm implements Estimator {
    @Override
    public String name() {
        return "alert path of the jobs";
    }

    @Override
    public Optional<Watch> watch() {
        return Optional.of(new Path());
    }

    /** One service over its minutes. */
    private static final class Path implements Watch {
        private Optional<OwnRules> rules = Optional.empty();

        @Override
        public boolean alarm(Observation minutes) {
            if (rules.isEmpty()) {
                rules =
                        Optional.of(
                                new OwnRules(
                                        Estimator.latest(minutes).key().service(),
                                        minutes.client().orElseThrow(),
                                        minutes.hostCpus()));
            }
            rules.get().judge(Estimator.latest(minutes));
            return rules.get().firesNow(AlertKind.CLIFF_NEAR);
        }
    }
}
