package io.quotascope.validate.score;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.estimate.Scenario;
import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Population;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScoringTest {
    /** Says the truth where the truth is known to it: half the load collapses at twice the load. */
    private static final class KnowsTheCliff implements Estimator {
        private final double collapseCores;

        KnowsTheCliff(double collapseCores) {
            this.collapseCores = collapseCores;
        }

        @Override
        public String name() {
            return "knows";
        }

        @Override
        public Optional<Estimate> collapseLoadMultiple(Observation seen) {
            double multiple = collapseCores / seen.usedCores();
            return Optional.of(new Estimate(multiple, 0.8 * multiple, 1.25 * multiple));
        }
    }

    @Test
    void whoKnowsTheCliffMeetsItsLineAndRulesOfThumbDoNot(@TempDir Path folder) {
        Population one = Development.of(1, 1, 1);
        Truths truths = new Truths(new TruthCache(folder.resolve("truth")));
        double cores =
                truths.collapseLoad(one.collapsible().get(0))
                        * one.collapsible().get(0).utilization()
                        * one.collapsible().get(0).quotaCores();
        Findings findings = new Findings();
        new Collapse(truths, List.of(new KnowsTheCliff(cores)), findings).score(one.collapsible());
        Row error =
                findings.rows().stream()
                        .filter(row -> row.quantity().startsWith("collapse load seen"))
                        .findFirst()
                        .orElseThrow();
        // Used cores are offered cores plus what chance and growing cost add: not exact, but near.
        assertThat(error.verdict()).isEqualTo("met");
        assertThat(findings.rows()).anyMatch(row -> row.quantity().contains("90 % interval"));
    }

    @Test
    void answersAreComparedWithTheirOwnTruth(@TempDir Path folder) {
        Population two = Development.of(2, 1, 1);
        Truths truths = new Truths(new TruthCache(folder.resolve("truth")));
        List<Scenario> asked = new ArrayList<>();
        Estimator noQuota =
                new Estimator() {
                    @Override
                    public String name() {
                        return "never throttled";
                    }

                    @Override
                    public Optional<Estimate> throttledPeriodRatio(
                            Observation seen, Scenario scenario) {
                        synchronized (asked) {
                            asked.add(scenario);
                        }
                        return Optional.of(Estimate.exactly(0));
                    }
                };
        Findings findings = new Findings();
        new Configuration(truths, List.of(noQuota), findings).score(two.configured());
        assertThat(asked).hasSizeGreaterThan(2 * 3 * 8);
        assertThat(asked)
                .anyMatch(
                        scenario ->
                                scenario.limit() instanceof CpuLimit.Quota quota
                                        && quota.burstUs() > 0);
        Row byChange =
                findings.rows().stream()
                        .filter(row -> row.quantity().startsWith("by change"))
                        .findFirst()
                        .orElseThrow();
        // Whoever says 0 is wrong by the truth itself; half of the quota is never free of
        // throttling here.
        assertThat(byChange.result()).contains("quota x0.5").doesNotContain("quota x0.5 0.0");
    }

    @Test
    void truthsAreKept(@TempDir Path folder) {
        Path file = folder.resolve("truth");
        assertThat(new TruthCache(file).ask("question", () -> 0.25)).isEqualTo(0.25);
        assertThat(
                        new TruthCache(file)
                                .ask(
                                        "question",
                                        () -> {
                                            throw new AssertionError("asked again");
                                        }))
                .isEqualTo(0.25);
        assertThat(new TruthCache(file).ask("another", () -> 0.5)).isEqualTo(0.5);
    }

    @Test
    void workedExamplesAreExact() {
        Findings findings = new Findings();
        WorkedExamples.score(findings);
        assertThat(findings.rows()).hasSize(2).allMatch(row -> row.verdict().equals("met"));
    }
}
