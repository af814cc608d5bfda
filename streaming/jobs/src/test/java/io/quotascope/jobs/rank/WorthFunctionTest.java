package io.quotascope.jobs.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.rank.TuningStake;
import io.quotascope.domain.rank.TuningVerdict;
import io.quotascope.domain.rank.TuningWorth;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.state.ByteFormType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.KeyedCoProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorthFunctionTest {
    private static final long MADE_US = 1_767_225_600_000_000L;
    private static final long REVISION = 2;

    private KeyedTwoInputStreamOperatorTestHarness<String, String, ServiceOffer, String> operator;

    /** Rows are names; with their worth they also name the estimates. */
    private static final class Named implements WorthFunction.Form<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public TuningStake stake(String row) {
            return new TuningStake(TuningVerdict.THROTTLED, 1, 2, false);
        }

        @Override
        public String with(String row, TuningWorth worth) {
            return row
                    + " savings "
                    + worth.savings().map(known -> known.analysedAtUs() - MADE_US)
                    + " risk "
                    + worth.risk().map(known -> known.analysedAtUs() - MADE_US);
        }
    }

    private static KeyedTwoInputStreamOperatorTestHarness<String, String, ServiceOffer, String>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new KeyedCoProcessOperator<>(
                        new WorthFunction<>(
                                new ByteFormType<>(new ServiceOfferForm()),
                                new Named(),
                                () -> RankPolicy.DEFAULT,
                                REVISION)),
                row -> row,
                offer -> offer.key().service(),
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

    private static ServiceOffer savings(String service, long atUs) {
        return new ServiceOffer(
                new ServiceKey(Origin.MEASURED, "lab", service, "200m/100ms"),
                REVISION,
                new TuningOffer.Savings(
                        MADE_US + atUs,
                        true,
                        "burst+period",
                        Optional.of("cpu.max.burst = 50000"),
                        Optional.of(new Interval(1, 2, 3)),
                        OptionalDouble.of(0.5),
                        Optional.empty(),
                        OptionalDouble.empty(),
                        0.8,
                        1,
                        Trust.Verdict.DOUBTFUL,
                        List.of("a doubt", "another")));
    }

    private static ServiceOffer risk(String service, long atUs) {
        return new ServiceOffer(
                new ServiceKey(Origin.MEASURED, "lab", service, "200m/100ms"),
                REVISION,
                new TuningOffer.Risk(
                        MADE_US + atUs,
                        "stable",
                        OptionalDouble.of(0.1),
                        Optional.of(new Interval(1.5, 2, 2.5)),
                        OptionalDouble.of(1.2),
                        OptionalDouble.empty(),
                        3_600_000_000L));
    }

    private String judge(String row) throws Exception {
        operator.processElement1(row, MADE_US / 1000);
        List<String> rows = operator.extractOutputValues();
        return rows.get(rows.size() - 1);
    }

    @Test
    void aRowTakesTheNewestThatIsKnownOfItsOwnService() throws Exception {
        assertThat(judge("a")).isEqualTo("a savings Optional.empty risk Optional.empty");
        operator.processElement2(savings("a", 20), 0);
        operator.processElement2(savings("a", 10), 0);
        operator.processElement2(risk("a", 30), 0);
        operator.processElement2(savings("b", 40), 0);
        assertThat(judge("a")).isEqualTo("a savings Optional[20] risk Optional[30]");
        assertThat(judge("b")).isEqualTo("b savings Optional[40] risk Optional.empty");
    }

    @Test
    void offersComeInAnyOrder() throws Exception {
        operator.processElement2(risk("a", 30), 0);
        operator.processElement2(savings("a", 10), 0);
        operator.processElement2(risk("a", 5), 0);
        operator.processElement2(savings("a", 20), 0);
        assertThat(judge("a")).isEqualTo("a savings Optional[20] risk Optional[30]");
    }

    @Test
    void theOrderOfOffersChangesNothing() throws Exception {
        for (long seed = 0; seed < 4; seed++) {
            close();
            open();
            List<ServiceOffer> offers = new ArrayList<>();
            for (long at = 0; at < 10; at++) {
                offers.add(savings("a", at));
                offers.add(risk("a", 10 * at));
                offers.add(savings("b", 100 * at));
            }
            Collections.shuffle(offers, new Random(seed));
            for (ServiceOffer offer : offers) {
                operator.processElement2(offer, 0);
            }
            assertThat(judge("a")).isEqualTo("a savings Optional[9] risk Optional[90]");
            assertThat(judge("b")).isEqualTo("b savings Optional[900] risk Optional.empty");
        }
    }

    @Test
    void anOfferThatNobodyRenewsEnds() throws Exception {
        operator.processElement2(savings("a", 0), 0);
        operator.processElement2(risk("a", 1_000), 0);
        long endMs = MADE_US / 1000 + 2 * 86_400_000L;
        operator.processBothWatermarks(new Watermark(endMs));
        assertThat(judge("a")).isEqualTo("a savings Optional.empty risk Optional[1000]");
        operator.processBothWatermarks(new Watermark(endMs + 1));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
    }

    @Test
    void goesOnAfterARestore() throws Exception {
        operator.processElement2(savings("a", 20), 0);
        operator.processElement2(risk("a", 30), 0);
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        assertThat(judge("a")).isEqualTo("a savings Optional[20] risk Optional[30]");
    }

    @Test
    void offersComeBackFromTheirBytes() throws Exception {
        ServiceOfferForm form = new ServiceOfferForm();
        for (ServiceOffer offer : List.of(savings("a", 1), risk("b", 2))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            form.write(offer, new DataOutputStream(bytes));
            assertThat(bytes.size()).isLessThan(2_048);
            assertThat(
                            form.read(
                                    new DataInputStream(
                                            new ByteArrayInputStream(bytes.toByteArray())),
                                    form.version()))
                    .isEqualTo(offer);
        }
    }

    /**
     * While everything is computed anew, the old estimates lie on the topics with the same ends.
     */
    @Test
    void whatWasOfferedUnderASmallerRevisionIsNotTaken() throws Exception {
        ServiceOffer replaced = savings("a", 50);
        operator.processElement2(
                new ServiceOffer(replaced.key(), REVISION - 1, replaced.offer()), 0);
        assertThat(judge("a")).isEqualTo("a savings Optional.empty risk Optional.empty");
        operator.processElement2(savings("a", 20), 0);
        assertThat(judge("a")).isEqualTo("a savings Optional[20] risk Optional.empty");
    }

    /** State of the version before says nothing of revisions, which end its bytes. */
    @Test
    void anOfferThatWasKeptBeforeItsRevisionWasIsStillThere() throws Exception {
        ServiceOfferForm form = new ServiceOfferForm();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        form.write(risk("a", 1), new DataOutputStream(bytes));
        byte[] before = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 8);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(before));
        ServiceOffer kept = form.read(in, 2);
        assertThat(kept).isEqualTo(new ServiceOffer(kept.key(), 0, risk("a", 1).offer()));
        assertThat(in.available()).isZero();
    }

    /** State of the version before that says nothing of trust either. */
    @Test
    void anOfferThatWasKeptBeforeTrustWasStatedCountsInFull() throws Exception {
        ServiceOfferForm form = new ServiceOfferForm();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        form.write(savings("a", 1), new DataOutputStream(bytes));
        byte[] before = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 18);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(before));
        TuningOffer.Savings kept = (TuningOffer.Savings) form.read(in, 1).offer();
        assertThat(kept.trust()).isEqualTo(Trust.Verdict.SOUND);
        assertThat(kept.doubts()).containsExactly("a doubt", "another");
        assertThat(in.available()).isZero();
    }
}
