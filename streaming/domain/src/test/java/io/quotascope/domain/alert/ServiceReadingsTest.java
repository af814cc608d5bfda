package io.quotascope.domain.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Example;

class ServiceReadingsTest {
    private static final JudgementScope SCOPE =
            new JudgementScope(
                    new ServiceKey(Origin.MEASURED, "c", "s", "2000m/100ms"),
                    60_000_000,
                    0,
                    1,
                    0,
                    Optional.empty(),
                    3,
                    OptionalDouble.of(1),
                    OptionalDouble.of(2),
                    OptionalDouble.of(2));

    private static CollapseRisk risk(RiskBand band, double collapse, List<String> reasons) {
        AnalysedCliff cliff =
                new AnalysedCliff(
                        120_000_000,
                        3_600_000_000L,
                        60,
                        new ServiceCliff(exactly(collapse), exactly(collapse), 1),
                        exactly(0.8),
                        0,
                        new AnalysedCliff.Clients(
                                new ClientPolicy(300_000, 1), false, Redistribution.STAY),
                        Optional.empty());
        return new CollapseRisk(
                SCOPE,
                new CollapseRisk.Load(OptionalDouble.of(1), OptionalDouble.of(0), 0),
                Optional.of(cliff),
                Optional.empty(),
                band,
                new CollapseRisk.Outlook(60, OptionalDouble.empty(), Optional.empty(), 0),
                !reasons.isEmpty(),
                reasons);
    }

    private static Multiple exactly(double value) {
        return new Multiple(value, value, value, false);
    }

    private static List<String> reasons(CollapseRisk risk, AlertKind kind) {
        return ServiceReadings.of(risk).readings().stream()
                .filter(reading -> reading.kind() == kind)
                .findFirst()
                .orElseThrow()
                .reasons();
    }

    @Example
    void farFromItsCliffAndVulnerableIsExplained() {
        assertThat(reasons(risk(RiskBand.VULNERABLE, 7.19, List.of()), AlertKind.VULNERABLE))
                .containsExactly(
                        "the load lies in the band vulnerable",
                        "steady load collapses it at 7.19 times this minute's; once a pulse has, it recovers only below 0.80 times");
        assertThat(reasons(risk(RiskBand.STABLE, 7.19, List.of()), AlertKind.VULNERABLE))
                .containsExactly("the load lies in the band stable");
    }

    @Example
    void whereTheCliffIsStandsThereOnce() {
        String expected = "collapse is expected at 1.13 times this minute's load";
        for (List<String> said :
                List.of(List.<String>of(), List.of("throttled", expected), List.of(expected))) {
            List<String> told =
                    reasons(risk(RiskBand.VULNERABLE, 1.13, said), AlertKind.CLIFF_NEAR);
            assertThat(told).startsWith(expected).doesNotHaveDuplicates();
            assertThat(told).containsAll(said);
        }
    }
}
