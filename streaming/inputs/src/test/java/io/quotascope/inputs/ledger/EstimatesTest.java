package io.quotascope.inputs.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Proposal;
import io.quotascope.domain.ledger.RecommendationState;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class EstimatesTest {
    private static final List<Proposal> TOPIC =
            List.of(
                    estimate("2000m/100ms", 10, "pools", true, 20, 5),
                    estimate("2000m/100ms", 20, "as it is", false, 20, 1),
                    estimate("2000m/100ms", 20, "pools", false, 20, 4),
                    estimate("2000m/100ms", 20, "pools + burst", true, 20, 6),
                    estimate("500m/100ms", 15, "burst", true, 3, 1),
                    // A copy of an older analysis that comes late.
                    estimate("2000m/100ms", 10, "pools + burst", false, 20, 2));

    private static Proposal estimate(
            String quotaClass, long at, String fixes, boolean best, double reserved, double freed) {
        return new Proposal(
                new ServiceKey(Origin.MEASURED, "prod", "checkout", quotaClass),
                at,
                fixes,
                best,
                fixes.equals("as it is") ? Optional.empty() : Optional.of("pool.size = 2"),
                OptionalDouble.of(reserved),
                Optional.of(new Predicted(freed, freed - 1, freed + 1)),
                Optional.empty());
    }

    private static Estimates checkout() {
        return new Estimates(TOPIC, "measured", "prod", "checkout");
    }

    @Test
    void theBestSetOfTheNewestAnalysisOfEachClassIsProposed() throws Exception {
        List<Proposal> chosen = checkout().chosen(Optional.empty(), Optional.empty());
        assertThat(chosen)
                .extracting(Proposal::recommendationId)
                .containsExactly("2000m-100ms-pools-burst", "500m-100ms-burst");
        Forecast promised = checkout().forecast(chosen.get(0));
        assertThat(promised.reclaimableCores()).contains(new Predicted(6, 5, 7));
        assertThat(promised.reservedCores()).as("both classes").hasValue(23);
        assertThat(chosen.get(0).advice().orElseThrow().fixSet()).containsExactly("pools", "burst");
    }

    @Test
    void anotherSetCanBeAskedFor() throws Exception {
        List<Proposal> chosen = checkout().chosen(Optional.of("2000m/100ms"), Optional.of("pools"));
        assertThat(chosen).singleElement().extracting(Proposal::analysedAtUs).isEqualTo(20L);
    }

    @Test
    void whatIsNotThereIsNamedWithWhatIs() {
        assertThatThrownBy(() -> checkout().chosen(Optional.empty(), Optional.of("as it is")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("prod/checkout")
                .hasMessageContaining("2000m/100ms 'pools + burst'");
        Estimates none = new Estimates(TOPIC, "measured", "prod", "search");
        assertThatThrownBy(() -> none.chosen(Optional.empty(), Optional.empty()))
                .hasMessageContaining("there is no estimate of prod/search");
    }

    @Test
    void aNewerEstimateRenewsWhatNobodyHasAnswered() throws Exception {
        Ledger ledger = new Ledger(List.of());
        for (Proposal each : checkout().chosen(Optional.empty(), Optional.empty())) {
            ledger.propose(
                    each.advice().orElseThrow(),
                    checkout().forecast(each),
                    1_000,
                    Optional.of("me"));
            ledger.propose(
                    each.advice().orElseThrow(),
                    each.forecast(OptionalDouble.of(30)),
                    2_000,
                    Optional.of("me"));
        }
        assertThat(ledger.steps()).hasSize(4);
        assertThat(ledger.entries())
                .hasSize(2)
                .allMatch(entry -> entry.state() == RecommendationState.PROPOSED)
                .allMatch(entry -> entry.version() == 2);
    }
}
