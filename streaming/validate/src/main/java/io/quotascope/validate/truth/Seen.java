package io.quotascope.validate.truth;

import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.population.Subject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Makes the observations of a run. */
public final class Seen {
    private Seen() {}

    /**
     * What an estimator sees of a run.
     *
     * @param client time-out and retries, if they are known
     * @param kappa growth of the cost, if it was measured
     */
    public static Observation of(
            Subject subject,
            ServiceRun run,
            Input input,
            Optional<Client> client,
            OptionalDouble kappa) {
        List<ShardWindow> records = records(subject, run, input != Input.SUMMARIES);
        return new Observation(
                input,
                ObservedWindows.sums(records),
                input == Input.RECORDING ? records : List.of(),
                subject.quota(),
                subject.hostCpus(),
                client,
                kappa);
    }

    /** The records of a run. */
    public static List<ShardWindow> records(Subject subject, ServiceRun run, boolean exemplars) {
        return ObservedWindows.of(
                run.setup(),
                run.trace(),
                ObservedShard.of(subject.name(), subject.threads(), exemplars));
    }
}
