package io.quotascope.jobs.verification;

import static io.quotascope.jobs.verification.VerificationFunctionTest.BEFORE;
import static io.quotascope.jobs.verification.VerificationFunctionTest.HOUR;
import static io.quotascope.jobs.verification.VerificationFunctionTest.START;
import static io.quotascope.jobs.verification.VerificationFunctionTest.applied;
import static io.quotascope.jobs.verification.VerificationFunctionTest.closedMs;
import static io.quotascope.jobs.verification.VerificationFunctionTest.cluster;
import static io.quotascope.jobs.verification.VerificationFunctionTest.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.verification.VerifiedChange.Outcome;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Alerts of the verification job. */
class RegressionsTest {
    private KeyedOneInputStreamOperatorTestHarness<String, ClusterEvidence, VerifiedChange>
            operator;

    @BeforeEach
    void open() throws Exception {
        operator = VerificationFunctionTest.harness();
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private void clock(long ms) throws Exception {
        operator.processWatermark(new Watermark(ms));
    }

    private void readAll(List<HourReading> readings) throws Exception {
        for (HourReading reading : readings) {
            long ms = closedMs(reading.hourStartUs());
            operator.processElement(new ClusterEvidence.Hour(reading), ms);
            clock(ms - 1);
        }
        clock(closedMs(START + (BEFORE + 90) * HOUR) + 8 * 3_600_000);
    }

    private List<VerifiedChange> judged() {
        return operator.extractOutputValues();
    }

    private <T> List<T> side(OutputTag<T> tag) {
        var output = operator.getSideOutput(tag);
        return output == null ? List.of() : output.stream().map(StreamRecord::getValue).toList();
    }

    @Test
    void savingsThatRegressAreToldOnceAndEndWithTheWatch() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.of("r-1"))), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        readAll(cluster(0.4, 10));
        List<ThrottlingAlert> told = side(Regressions.ALERTS);
        assertThat(judged()).as("judged on three days").hasSize(3);
        assertThat(told).hasSize(1);
        ThrottlingAlert alert = told.get(0);
        assertThat(alert.kind()).isEqualTo(AlertKind.SAVINGS_REGRESSED);
        assertThat(alert.state()).isEqualTo(ThrottlingAlert.State.FIRING);
        assertThat(alert.subject().service()).contains("checkout");
        assertThat(alert.subject().quotaClass()).isEmpty();
        assertThat(alert.context().team()).contains("payments");
        assertThat(alert.reasons().get(0)).contains("change of pools", "recommendation r-1");
        assertThat(alert.reasons().get(1)).contains("throttled_period_ratio risen");
        clock(closedMs(START + (BEFORE + 90) * HOUR) + 9 * 86_400_000L);
        told = side(Regressions.ALERTS);
        assertThat(told).hasSize(2);
        assertThat(told.get(1).state()).isEqualTo(ThrottlingAlert.State.RESOLVED);
        assertThat(told.get(1).alertId()).isEqualTo(alert.alertId());
    }

    @Test
    void aDeployThatUndoesWhatWasSavedIsToldAndOneWithoutSavingsIsNot() throws Exception {
        operator.processElement(new ClusterEvidence.Change(event(Optional.empty())), 0);
        readAll(cluster(0.4, 10));
        assertThat(judged().get(0).outcome()).isEqualTo(Outcome.REGRESSED);
        assertThat(side(Regressions.ALERTS)).as("nothing had been saved").isEmpty();
        close();
        open();
        operator.processElement(new ClusterEvidence.Change(event(Optional.empty())), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        readAll(cluster(0.4, 10));
        assertThat(side(Regressions.ALERTS)).hasSize(1);
    }

    @Test
    void takingTheChangeBackEndsItsAlert() throws Exception {
        ChangeEvent event = event(Optional.of("r-1"));
        operator.processElement(new ClusterEvidence.Change(event), 0);
        operator.processElement(new ClusterEvidence.Entry(applied(2)), 0);
        readAll(cluster(0.4, 10));
        assertThat(side(Regressions.ALERTS)).hasSize(1);
        operator.processElement(new ClusterEvidence.Change(event.withdraw()), 0);
        clock(closedMs(START + (BEFORE + 90) * HOUR) + 8 * 3_600_000 + 60_000);
        List<ThrottlingAlert> told = side(Regressions.ALERTS);
        assertThat(told).hasSize(2);
        assertThat(told.get(1).state()).isEqualTo(ThrottlingAlert.State.RESOLVED);
    }
}
