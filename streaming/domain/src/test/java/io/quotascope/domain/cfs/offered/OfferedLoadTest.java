package io.quotascope.domain.cfs.offered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.cfs.service.Request;
import io.quotascope.domain.cfs.service.RequestStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OfferedLoadTest {
    private static final long LONG_US = 2_000_000_000L;

    static Stream<ArrivalLaw> laws() {
        return Stream.of(
                new ArrivalLaw.Steady(40),
                new ArrivalLaw.Modulated(40, 0.5, 200_000),
                new ArrivalLaw.OnOff(100, 20, 100_000, 300_000, 0),
                new ArrivalLaw.OnOff(100, 20, 100_000, 300_000, 2.5),
                new ArrivalLaw.Clumps(4, 10, 5_000),
                new ArrivalLaw.Schedule(50_000, 1_000_000, 40, 20_000),
                new ArrivalLaw.Recorded(List.of(0.0, 120.0, 0.0)));
    }

    @ParameterizedTest
    @MethodSource("laws")
    void offersItsMeanRateAtAnyLoadInAscendingOrder(ArrivalLaw law) {
        for (double multiple : new double[] {0.5, 1, 3}) {
            List<Request> requests = all(of(law).at(multiple));
            assertThat(requests.size() / (LONG_US / 1e6))
                    .isCloseTo(40 * multiple, within(0.08 * 40 * multiple));
            assertThat(requests)
                    .isSortedAccordingTo(
                            (one, other) -> Long.compare(one.arrivesUs(), other.arrivesUs()));
        }
    }

    @ParameterizedTest
    @MethodSource("laws")
    void theSeedDecidesEverything(ArrivalLaw law) {
        List<Long> one = instants(of(law));
        assertThat(instants(of(law))).isEqualTo(one);
        if (!(law instanceof ArrivalLaw.Schedule)) {
            assertThat(instants(of(law).seeded(2))).isNotEqualTo(one);
        }
    }

    @Test
    void workLawsHaveTheirMean() {
        for (WorkLaw law :
                List.of(
                        new WorkLaw.Fixed(5_000),
                        new WorkLaw.Exponential(5_000, 4),
                        new WorkLaw.LogNormal(5_000, 0.8),
                        new WorkLaw.Pareto(5_000, 2.5, 1_000))) {
            Draws draws = new Draws(3, 1);
            double sum = 0;
            for (int task = 0; task < 200_000; task++) {
                sum += WorkLaw.draw(law, draws);
            }
            assertThat(sum / 200_000).isCloseTo(5_000, within(150.0));
        }
    }

    @Test
    void aRampMovesFromOneLoadToTheOther() {
        OfferedLoad ramp =
                of(new ArrivalLaw.Steady(1_000)).at(new LoadCurve(0, 2, 0, LONG_US / 10));
        List<Request> requests = new ArrayList<>();
        drain(ramp.requests(LONG_US / 10), requests);
        long early = requests.stream().filter(r -> r.arrivesUs() < LONG_US / 20).count();
        // The first half of a straight ramp from 0 holds a quarter of it.
        assertThat(early / (double) requests.size()).isCloseTo(0.25, within(0.01));
    }

    @Test
    void aPulseIsNotMultipliedByTheLoad() {
        OfferedLoad load = of(new ArrivalLaw.Pulse(1_000_000, 2_000_000, 5_000)).at(9);
        List<Request> requests = all(load);
        assertThat((double) requests.size()).isCloseTo(5_000, within(300.0));
        assertThat(requests).allMatch(r -> r.arrivesUs() >= 1_000_000 && r.arrivesUs() < 2_000_000);
    }

    private static OfferedLoad of(ArrivalLaw law) {
        RequestClass kind = new RequestClass(law, 1, 3, new WorkLaw.Fixed(1_000));
        return new OfferedLoad(List.of(kind), LoadCurve.constant(1), 1);
    }

    private static List<Long> instants(OfferedLoad load) {
        return all(load).stream().map(Request::arrivesUs).toList();
    }

    private static List<Request> all(OfferedLoad load) {
        List<Request> requests = new ArrayList<>();
        drain(load.requests(LONG_US), requests);
        return requests;
    }

    private static void drain(RequestStream stream, List<Request> into) {
        for (Optional<Request> next = stream.next(); next.isPresent(); next = stream.next()) {
            into.add(next.get());
        }
    }
}
