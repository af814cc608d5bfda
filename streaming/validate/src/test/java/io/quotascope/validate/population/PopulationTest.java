package io.quotascope.validate.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.cfs.offered.ArrivalLaw;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PopulationTest {
    private static final List<List<Double>> TRACES =
            RecordedTraces.read(Path.of("../../collectors/testdata/traces"));

    @Test
    void theSeedDecidesEverySubject() {
        assertThat(Development.of(5, 5, 2)).isEqualTo(Development.of(5, 5, 2));
        assertThat(Development.of(6, 5, 2).configured().subList(0, 5))
                .isEqualTo(Development.of(5, 5, 2).configured());
    }

    @Test
    void subjectsOfferTheirShareOfTheQuota() {
        Stream.of(Development.of(20, 20, 4), Holdout.of(TRACES, 20, 20, 4))
                .flatMap(
                        all -> Stream.concat(all.configured().stream(), all.collapsible().stream()))
                .forEach(
                        subject ->
                                assertThat(subject.load().offeredCores())
                                        .isCloseTo(
                                                subject.utilization() * subject.quotaCores(),
                                                within(1e-6 * subject.quotaCores())));
    }

    @Test
    void nothingThatIsHeldOutWanders() {
        Population held = Holdout.of(TRACES, 30, 30, 1);
        assertThat(Stream.concat(held.configured().stream(), held.collapsible().stream()))
                .flatExtracting(subject -> subject.load().classes())
                .noneMatch(kind -> kind.arrivals() instanceof ArrivalLaw.Modulated);
    }

    @Test
    void whatIsRehearsedIsOfNeitherFamily() {
        List<Subject> rehearsed = Rehearsal.of(20, Rehearsal.QUOTA_CORES);
        assertThat(rehearsed).isEqualTo(Rehearsal.of(20, Rehearsal.QUOTA_CORES));
        assertThat(rehearsed)
                .flatExtracting(subject -> subject.load().classes())
                .allMatch(
                        kind ->
                                kind.arrivals() instanceof ArrivalLaw.Recorded
                                        || kind.arrivals() instanceof ArrivalLaw.Steady);
        assertThat(rehearsed)
                .allSatisfy(
                        subject ->
                                assertThat(subject.load().offeredCores())
                                        .isCloseTo(
                                                subject.utilization() * subject.quotaCores(),
                                                within(1e-6 * subject.quotaCores())));
    }

    @Test
    void recordedTracesAreRead() {
        assertThat(TRACES).hasSizeGreaterThanOrEqualTo(5);
        // 599 slices of a thread that burns under 0.2 core: its mean is the quota.
        assertThat(TRACES.get(1).stream().mapToDouble(Double::doubleValue).average().orElseThrow())
                .isCloseTo(0.2, within(0.02));
    }
}
