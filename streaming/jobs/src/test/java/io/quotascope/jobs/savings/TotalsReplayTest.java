package io.quotascope.jobs.savings;

import static io.quotascope.jobs.savings.TotalsHarness.TURN_US;
import static io.quotascope.jobs.savings.TotalsHarness.clockMs;
import static io.quotascope.jobs.savings.TotalsHarness.instantUs;
import static io.quotascope.jobs.savings.TotalsHarness.part;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.FleetInstant;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;

/** Estimates that come after the clock has passed their instants, or before it. */
class TotalsReplayTest {
    private static final int TURNS = 24;

    /** Estimates of services, one each in every ten minutes, service by service. */
    private static List<FleetPart> parts(int services, int turns) {
        List<FleetPart> parts = new ArrayList<>();
        for (int service = 0; service < services; service++) {
            for (int turn = 0; turn < turns; turn++) {
                parts.add(part("s" + service, 1 + service + 10L * turn, 10 + service + turn));
            }
        }
        return parts;
    }

    private static String place(FleetTotal total) {
        return total.analysedAtUs() + " " + total.of() + " " + total.name();
    }

    private static String figures(FleetTotal total) {
        return String.format(
                Locale.ROOT,
                "%d services, %.6f cores reserved, %.9f can go, evidence %d",
                total.services(),
                total.reservedCores(),
                total.cores().net().value(),
                total.evidence());
    }

    /** What readers see in the end; whoever knows more has the greater version. */
    private static Map<String, String> seen(List<FleetTotal> written) {
        Map<String, FleetTotal> rows = new TreeMap<>();
        for (FleetTotal total : written) {
            FleetTotal last = rows.put(place(total), total);
            if (last != null && !last.equals(total)) {
                assertThat(total.evidence()).as(place(total)).isGreaterThan(last.evidence());
            }
        }
        Map<String, String> shown = new TreeMap<>();
        rows.forEach((place, total) -> shown.put(place, figures(total)));
        return shown;
    }

    /** The same by the plain rule: of each service the newest estimate up to the instant. */
    private static Map<String, String> ofAll(List<FleetPart> parts) {
        List<FleetTotal> totals = new ArrayList<>();
        TreeSet<Long> instants = new TreeSet<>();
        parts.forEach(part -> instants.add(FleetInstant.of(part.analysedAtUs())));
        for (long instantUs : instants) {
            Map<String, FleetPart> newest = new TreeMap<>();
            for (FleetPart part : parts) {
                if (part.analysedAtUs() <= instantUs) {
                    newest.merge(
                            part.key().service(),
                            part,
                            (one, other) -> one.isNewerThan(other) ? one : other);
                }
            }
            totals.addAll(FleetInstant.totals(instantUs, newest.values(), TURN_US));
        }
        return seen(totals);
    }

    @Test
    void aTotalIsOfAllServicesHoweverFarTheRollupLiesBehind() throws Exception {
        List<FleetPart> parts = parts(6, TURNS);
        Map<String, String> expected = ofAll(parts);
        assertThat(expected).hasSize(3 * TURNS);
        for (int order = 0; order < 4; order++) {
            try (TotalsHarness operator = TotalsHarness.begun()) {
                long minute = 10 * 60;
                operator.clock(minute);
                for (FleetPart each : parts) {
                    operator.read(each, minute);
                    // The last time all of them come at once.
                    minute += order == 3 ? 0 : 1;
                    operator.clock(minute);
                }
                operator.clock(minute + 10);
                assertThat(seen(operator.written())).as("order %d", order).isEqualTo(expected);
            }
            Collections.shuffle(parts, new Random(order));
        }
    }

    @Test
    void aTotalIsOfAllServicesThoughOneIsReadAheadOfTheClock() throws Exception {
        List<FleetPart> parts = parts(3, TURNS);
        try (TotalsHarness operator = TotalsHarness.begun()) {
            for (FleetPart each : parts.subList(0, TURNS)) {
                operator.read(each);
            }
            for (int minute = 0; minute < 10 * TURNS + 20; minute++) {
                for (FleetPart each : parts.subList(TURNS, parts.size())) {
                    if (each.analysedAtUs() == instantUs(minute)) {
                        operator.read(each);
                    }
                }
                operator.clock(minute + 1);
            }
            assertThat(seen(operator.written())).isEqualTo(ofAll(parts));
            assertThat(operator.written()).as("each once").hasSize(3 * TURNS);
        }
    }

    /** A host that was away for six hours has minutes of its services analysed again. */
    @Test
    void whatIsAnalysedAgainChangesItsTotalsAndNoOthers() throws Exception {
        List<FleetPart> parts = parts(3, TURNS);
        try (TotalsHarness operator = TotalsHarness.begun()) {
            for (int minute = 0; minute < 10 * TURNS; minute++) {
                for (FleetPart each : parts) {
                    if (each.analysedAtUs() == instantUs(minute)) {
                        operator.read(each);
                    }
                }
                operator.clock(minute + 1);
            }
            operator.clock(6 * 60 + 10);
            assertThat(operator.fleets()).hasSize(TURNS);
            long closed = clockMs(6 * 60 + 10) / 900_000 - 1;
            List<FleetPart> again = List.of(part("s1", 12, closed, 70), part("s2", 6, closed, 80));
            for (FleetPart each : again) {
                operator.read(each, 6 * 60 + 10);
                parts.add(each);
            }
            // Of a repeated part the first judgement is not the last word.
            operator.read(part("s2", 6, closed - 1, 99), 6 * 60 + 10);
            operator.clock(6 * 60 + 20);
            assertThat(seen(operator.written())).isEqualTo(ofAll(parts));
            assertThat(operator.fleets()).hasSize(TURNS + 2);
        }
    }

    /** Rows of both revisions are on the topic before a job that is behind looks at its clock. */
    @Test
    void aRecomputationThatIsReadAtOnceSettlesNothingBeforeItsLateParts() throws Exception {
        int turns = 10 * 6;
        List<FleetPart> parts = parts(2, turns);
        long anew = 10 * turns + 60;
        try (TotalsHarness operator = TotalsHarness.begun()) {
            for (FleetPart each : parts) {
                operator.read(each);
            }
            for (FleetPart each : parts) {
                operator.read(each, anew);
            }
            operator.clock(anew);
            FleetPart again = part("s1", 22, clockMs(60) / 900_000, 70);
            operator.read(again, anew + 2);
            parts.add(again);
            operator.clock(anew + 10);
            assertThat(seen(operator.written())).isEqualTo(ofAll(parts));
        }
    }

    @Test
    void keepsNoMoreThanLatePartsMayAskFor() throws Exception {
        try (TotalsHarness operator = TotalsHarness.begun()) {
            long[] bytes = new long[4];
            for (int day = 0; day < bytes.length; day++) {
                for (int turn = 0; turn < 144; turn++) {
                    long minute = day * 1_440L + turn * 10L;
                    operator.read(part("a", minute + 1, 10));
                    operator.clock(minute + 3);
                    assertThat(operator.timers()).isLessThan(60);
                }
                bytes[day] = operator.checkpointBytes();
            }
            assertThat(bytes[3]).as("state does not grow").isEqualTo(bytes[1]).isLessThan(16_000);
        }
    }

    /** Writes what the build before this one kept, under its names. */
    private static final class Earlier extends KeyedProcessFunction<String, FleetPart, FleetTotal> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(FleetPart part, Context context, Collector<FleetTotal> out)
                throws Exception {
            String name = part.analysedAtUs() > instantUs(10) ? "newest" : "before";
            getRuntimeContext()
                    .getMapState(
                            new MapStateDescriptor<>(
                                    name, Types.STRING, new ByteFormType<>(new FleetPartForm())))
                    .put(part.key().topicKey(), part);
            long instantMs = FleetInstant.of(part.analysedAtUs()) / 1_000;
            context.timerService().registerEventTimeTimer(instantMs + TotalsFunction.SETTLED_MS);
        }
    }

    @Test
    void whatAnEarlierBuildKeptCounts() throws Exception {
        try (TotalsHarness earlier = TotalsHarness.of(new Earlier())) {
            for (FleetPart each : parts(2, 2)) {
                earlier.read(each);
            }
            try (TotalsHarness operator = TotalsHarness.after(earlier)) {
                operator.read(part("s2", 13, 50));
                operator.clock(24);
                List<FleetPart> all = parts(2, 2);
                all.add(part("s2", 13, 50));
                Map<String, String> expected = new TreeMap<>(ofAll(all));
                assertThat(seen(operator.written())).isNotEmpty().isEqualTo(expected);
                operator.clock(60 * 60);
                assertThat(operator.isEmpty()).isTrue();
            }
        }
    }
}
