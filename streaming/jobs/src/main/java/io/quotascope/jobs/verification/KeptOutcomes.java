package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.PredictionScore;
import io.quotascope.domain.verification.PredictionScore.Realised;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of the predictions of one quantity, by recommendation.
 *
 * @param byRecommendation at most {@link #KEPT}, by a key that sorts by when they were settled
 */
record KeptOutcomes(SortedMap<String, Realised> byRecommendation) {
    /** Outcomes that a score looks back on. */
    static final int KEPT = 1_000;

    static final KeptOutcomes NONE = new KeptOutcomes(new TreeMap<>());

    KeptOutcomes plus(String settled, Realised outcome) {
        TreeMap<String, Realised> together = new TreeMap<>(byRecommendation);
        together.put(settled, outcome);
        while (together.size() > KEPT) {
            together.pollFirstEntry();
        }
        return new KeptOutcomes(together);
    }

    PredictionScore score() {
        return PredictionScore.of(byRecommendation.values());
    }

    /** Entries, for a form. */
    Iterable<Map.Entry<String, Realised>> entries() {
        return byRecommendation.entrySet();
    }
}
