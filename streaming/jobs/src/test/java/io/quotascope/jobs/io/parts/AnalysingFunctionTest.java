package io.quotascope.jobs.io.parts;

import static io.quotascope.jobs.fixture.ServiceRows.MINUTE_US;
import static io.quotascope.jobs.fixture.ServiceRows.revised;
import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.fixture.SimulatedRows;
import io.quotascope.jobs.io.state.KeyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When minutes are analysed and with what, seen through a function that only says so. */
class AnalysingFunctionTest {
    private static final Cadence EVERY_FOUR = new Cadence(4, 2, Cadence.DEFAULT.rule());

    /** Minutes 1, 5, 9 .. of the fixture's service, found by asking. */
    private static int turn() {
        for (int minute = 0; minute < 4; minute++) {
            if (EVERY_FOUR.isTurn(
                    row(minute, 0, 6, r -> {}).sums().key(), MINUTE_US + minute * 60_000_000L)) {
                return minute;
            }
        }
        throw new IllegalStateException("no turn in four minutes");
    }

    private static final int TURN = turn();

    private KeyedTwoInputStreamOperatorTestHarness<String, ServiceWindow, Reference, String>
            operator;

    /** Says minute, part, trigger, and what of it was known. */
    static final class SayingFunction extends AnalysingFunction<String> {
        private static final long serialVersionUID = 1L;

        SayingFunction() {
            super(() -> EVERY_FOUR, 3, 1);
        }

        @Override
        protected Optional<AnalysedMinute> judge(Turn turn, Collector<String> out)
                throws Exception {
            long minute = (turn.minute().windowStartUs() - MINUTE_US) / 60_000_000L;
            StringBuilder said = new StringBuilder();
            said.append(minute).append('/').append(turn.part());
            turn.trigger().ifPresent(why -> said.append(' ').append(why));
            if (turn.trigger().isPresent()) {
                said.append(" horizon");
                turn.past()
                        .horizon()
                        .forEach((at, sums) -> said.append(' ').append(sums.reporting().records()));
                said.append(" catalog ").append(turn.catalog().catalogVersion());
                turn.prices().ifPresent(book -> said.append(" book ").append(book.version()));
                said.append(" hours ").append(turn.past().peaks().hours().size());
            }
            out.collect(said.toString());
            return turn.trigger().isEmpty()
                    ? Optional.empty()
                    : Cadence.loadOf(turn.minute())
                            .map(load -> new AnalysedMinute(load, Optional.empty()));
        }
    }

    private static KeyedTwoInputStreamOperatorTestHarness<String, ServiceWindow, Reference, String>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(new SayingFunction(), References.descriptors()),
                each -> KeyText.of(each.sums().key()),
                null,
                Types.STRING);
    }

    @BeforeEach
    void open() throws Exception {
        operator = harness();
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private List<String> read(ServiceWindow row) throws Exception {
        operator.processElement1(row, SimulatedRows.closesMs(row) + 1_000);
        return taken();
    }

    private List<String> taken() {
        List<String> said = new ArrayList<>(operator.extractOutputValues());
        operator.getOutput().clear();
        return said;
    }

    private static ServiceWindow steady(int minute) {
        return row(minute, 0, 6, r -> {});
    }

    private static void twiceTheLoad(ShardRecord record) {
        record.usageUs = 4_000_000;
    }

    @Test
    void aTurnComesEveryFourMinutesAndLooksAtTheHorizon() throws Exception {
        List<String> said = new ArrayList<>();
        for (int minute = 0; minute < 9; minute++) {
            said.addAll(read(steady(minute)));
        }
        assertThat(said).hasSize(9);
        for (int minute = 0; minute < 9; minute++) {
            String expected =
                    minute % 4 != TURN
                            ? minute + "/0"
                            : minute
                                    + "/0 CADENCE horizon"
                                    + " 6".repeat(Math.min(3, minute + 1))
                                    + " catalog 0 hours 1";
            assertThat(said.get(minute)).isEqualTo(expected);
        }
    }

    @Test
    void aMoveIsAnalysedAtOnceButNotMoreOftenThanAllowed() throws Exception {
        int next = TURN + 1;
        read(steady(TURN));
        assertThat(read(row(next, 0, 6, AnalysingFunctionTest::twiceTheLoad)).get(0))
                .as("one minute after an analysis is too soon")
                .doesNotContain("MOVED");
        assertThat(read(row(next + 1, 0, 6, AnalysingFunctionTest::twiceTheLoad)).get(0))
                .contains("MOVED");
        assertThat(read(row(next + 2, 0, 6, AnalysingFunctionTest::twiceTheLoad)).get(0))
                .as("nothing moved since")
                .doesNotContain("MOVED");
    }

    @Test
    void latePartsAreJudgedTogetherWhenALaterRowArrives() throws Exception {
        for (int minute = 0; minute < 4; minute++) {
            read(steady(minute));
        }
        long part = SimulatedRows.closesMs(steady(3)) / 900_000 + 1;
        assertThat(read(row(TURN, part, 4, r -> {}))).isEmpty();
        int before = Math.max(0, TURN - 1);
        if (before != TURN) {
            assertThat(read(row(before, part, 5, r -> {}))).isEmpty();
        }
        int after = (int) ((part + 1) * 15 - MINUTE_US / 60_000_000L) + 1;
        List<String> said = read(row(after, 0, 6, r -> {}));
        assertThat(said.get(before == TURN ? 0 : 1))
                .startsWith(TURN + "/" + part + " LATE_PART horizon")
                .contains(before == TURN ? " 10" : " 11 10");
        assertThat(said.get(said.size() - 1)).startsWith(after + "/0");
    }

    @Test
    void latePartsOfASilentServiceAreJudgedByTheClock() throws Exception {
        read(steady(TURN));
        ServiceWindow late = row(TURN, SimulatedRows.closesMs(steady(3)) / 900_000 + 1, 4, r -> {});
        assertThat(read(late)).isEmpty();
        long settled = SimulatedRows.closesMs(late) + 1_000 + AnalysingFunction.SETTLED_MS;
        operator.processBothWatermarks(new Watermark(settled - 1));
        assertThat(taken()).isEmpty();
        operator.processBothWatermarks(new Watermark(settled));
        assertThat(taken()).hasSize(1).allMatch(said -> said.contains("LATE_PART horizon 10"));
    }

    @Test
    void repetitionsAreNotJudgedAndAGreaterRevisionBeginsAnew() throws Exception {
        read(steady(TURN));
        assertThat(read(steady(TURN))).isEmpty();
        assertThat(read(revised(row(TURN, 0, 5, r -> {}), 2)).get(0)).contains("horizon 5");
    }

    @Test
    void aWholeHistoryOfAGreaterRevisionIsJudgedAsIfThereHadBeenNoOther() throws Exception {
        List<ServiceWindow> history = new ArrayList<>();
        for (int minute = 0; minute < TURN + 7; minute++) {
            history.add(
                    minute < TURN + 2
                            ? steady(minute)
                            : row(minute, 0, 6, AnalysingFunctionTest::twiceTheLoad));
        }
        List<String> first = new ArrayList<>();
        for (ServiceWindow row : history) {
            first.addAll(read(row));
        }
        // A late part whose turn has not come when the recomputation begins.
        long part = SimulatedRows.closesMs(history.get(TURN + 6)) / 900_000 + 1;
        assertThat(read(row(TURN, part, 4, r -> {}))).isEmpty();
        List<String> again = new ArrayList<>();
        for (ServiceWindow row : history) {
            again.addAll(read(revised(row, 2)));
        }
        operator.processBothWatermarks(
                new Watermark(SimulatedRows.closesMs(row(TURN, part, 4, r -> {})) + 200_000));
        again.addAll(taken());
        assertThat(first).anyMatch(said -> said.contains("MOVED"));
        assertThat(again).isEqualTo(first);
    }

    /** When everything is computed anew, a minute that came late comes late again. */
    @Test
    void minutesOfASmallerRevisionAreNotInTheHorizon() throws Exception {
        read(steady(TURN - 2));
        read(steady(TURN));
        read(row(TURN - 1, SimulatedRows.closesMs(steady(TURN)) / 900_000 + 1, 6, r -> {}));
        read(revised(row(TURN - 2, 0, 5, r -> {}), 2));
        assertThat(read(revised(row(TURN, 0, 7, r -> {}), 2)).get(0)).contains("horizon 5 7 ");
    }

    @Test
    void catalogAndPricesAreThoseSaidLast() throws Exception {
        operator.processElement2(new Reference.Entry(entry(3)), 0);
        operator.processElement2(new Reference.Entry(entry(2)), 0);
        operator.processElement2(new Reference.Prices(book(4)), 0);
        operator.processElement2(new Reference.Prices(book(5)), 0);
        operator.processElement2(new Reference.Prices(book(4)), 0);
        assertThat(read(steady(TURN)).get(0)).contains("catalog 3 book 5");
    }

    private static PriceBook book(long version) {
        return new PriceBook(version, List.of(), Optional.empty());
    }

    private static ServiceCatalogEntry entry(long version) {
        return new ServiceCatalogEntry(
                "lab",
                "checkout",
                version,
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                new ClientPolicy(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty()),
                OptionalLong.empty(),
                OptionalInt.empty(),
                false);
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        operator.processElement2(new Reference.Prices(book(5)), 0);
        for (int minute = 0; minute <= TURN; minute++) {
            read(steady(minute));
        }
        long part = SimulatedRows.closesMs(steady(3)) / 900_000 + 1;
        read(row(TURN, part, 4, r -> {}));
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        assertThat(read(steady(TURN))).as("a repetition").isEmpty();
        operator.processBothWatermarks(new Watermark(Long.MAX_VALUE / 2));
        assertThat(taken())
                .hasSize(1)
                .allMatch(said -> said.contains("LATE_PART"))
                .allMatch(said -> said.contains(" 10 catalog 0 book 5 hours 1"));
    }

    @Test
    void howeverFarTheRollupLiesBehindNothingIsForgotten() throws Exception {
        List<String> inTime = new ArrayList<>();
        for (int minute = 0; minute < 9; minute++) {
            inTime.addAll(read(steady(minute)));
        }
        close();
        open();
        for (int minute = 0; minute < 9; minute++) {
            long writtenMs = SimulatedRows.closesMs(steady(minute)) + minute * 5L * 3_600_000;
            operator.processBothWatermarks(new Watermark(writtenMs - 1));
            operator.processElement1(steady(minute), writtenMs);
        }
        assertThat(taken()).isEqualTo(inTime);
    }

    @Test
    void nothingIsLeftWhenNothingCanBeOnItsWay() throws Exception {
        for (int minute = 0; minute < 5; minute++) {
            read(steady(minute));
        }
        read(row(TURN, SimulatedRows.closesMs(steady(9)) / 900_000 + 1, 4, r -> {}));
        operator.processBothWatermarks(new Watermark(SimulatedRows.closesMs(steady(9))));
        assertThat(operator.numKeyedStateEntries()).isPositive();
        operator.processBothWatermarks(new Watermark(MINUTE_US / 1000 + 16L * 24 * 3_600_000));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }
}
