package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.window.Origin;

/** What is known of one cluster, in the order in which it was read. */
public sealed interface ClusterEvidence {
    /** Where the numbers come from. */
    Origin origin();

    /** Cluster. */
    String cluster();

    /** An hour of a service. */
    record Hour(HourReading reading) implements ClusterEvidence {
        @Override
        public Origin origin() {
            return reading.key().origin();
        }

        @Override
        public String cluster() {
            return reading.key().cluster();
        }
    }

    /** Something that happened to a service. */
    record Change(ChangeEvent event) implements ClusterEvidence {
        @Override
        public Origin origin() {
            return event.origin();
        }

        @Override
        public String cluster() {
            return event.cluster();
        }
    }

    /** A step of a recommendation. */
    record Entry(Recommendation recommendation) implements ClusterEvidence {
        @Override
        public Origin origin() {
            return recommendation.advice().origin();
        }

        @Override
        public String cluster() {
            return recommendation.advice().cluster();
        }
    }

    /** Requests of a minute of a service. */
    record Load(ServiceLoad load) implements ClusterEvidence {
        @Override
        public Origin origin() {
            return load.origin();
        }

        @Override
        public String cluster() {
            return load.cluster();
        }
    }
}
