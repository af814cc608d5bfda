package io.quotascope.domain.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.alert.ThrottlingAlert.State;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.risk.EarlyWarning;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AlertBookTest {
    private static final long MINUTE_US = 60_000_000;
    private static final AlertSubject HOST = AlertSubject.ofHost(Origin.MEASURED, "eu", "host-1");
    private static final AlertContext CONTEXT = AlertContext.of(CatalogView.without(1));

    /** Threads begin at 500 a CPU for three minutes and end at 400 for ten. */
    private static final AlertKind LEVEL = AlertKind.HOST_THREADS;

    private static List<ThrottlingAlert> judged(AlertKind kind, double... values) {
        AlertBook book = AlertBook.EMPTY;
        List<ThrottlingAlert> alerts = new ArrayList<>();
        for (int minute = 0; minute < values.length; minute++) {
            AlertBook.Outcome outcome =
                    book.judge(
                            HOST,
                            CONTEXT,
                            minute * MINUTE_US,
                            List.of(AlertReading.of(kind, values[minute], List.of("because"))),
                            AlertRules.DEFAULT);
            book = outcome.book();
            alerts.addAll(outcome.alerts());
        }
        return alerts;
    }

    @Example
    void beginsAfterItsMinutesAndSaysSinceWhen() {
        assertThat(judged(LEVEL, 100, 600, 600)).isEmpty();
        List<ThrottlingAlert> alerts = judged(LEVEL, 100, 600, 700, 650, 600, 600);
        assertThat(alerts).hasSize(1);
        ThrottlingAlert began = alerts.get(0);
        assertThat(began.state()).isEqualTo(State.FIRING);
        assertThat(began.severity()).isEqualTo(AlertSeverity.WARNING);
        assertThat(began.sinceUs()).isEqualTo(MINUTE_US);
        assertThat(began.windowStartUs()).isEqualTo(3 * MINUTE_US);
        assertThat(began.value()).hasValue(650);
        assertThat(began.threshold()).isEqualTo(500);
        assertThat(began.reasons()).containsExactly("because");
    }

    @Example
    void aDipBelowTheThresholdBeginsTheCountAnew() {
        assertThat(judged(LEVEL, 600, 600, 499, 600, 600)).isEmpty();
    }

    @Example
    void growsToCriticalOnceAndEndsAtItsWorst() {
        double[] values = new double[20];
        Arrays.fill(values, 100);
        Arrays.fill(values, 0, 4, 600);
        values[4] = 2_500;
        values[5] = 600;
        values[6] = 2_500;
        List<ThrottlingAlert> alerts = judged(LEVEL, values);
        assertThat(alerts)
                .extracting(ThrottlingAlert::state)
                .containsExactly(State.FIRING, State.FIRING, State.RESOLVED);
        assertThat(alerts)
                .extracting(ThrottlingAlert::severity)
                .containsExactly(
                        AlertSeverity.WARNING, AlertSeverity.CRITICAL, AlertSeverity.CRITICAL);
        // minutes 7 to 16 are the ten that it takes to end
        assertThat(alerts.get(2).windowStartUs()).isEqualTo(16 * MINUTE_US);
        assertThat(alerts.get(2).threshold()).isEqualTo(400);
        assertThat(alerts).extracting(ThrottlingAlert::sinceUs).containsOnly(0L);
    }

    @Example
    void smallValuesAreBadWhereTheRuleSaysSo() {
        List<ThrottlingAlert> alerts =
                judged(AlertKind.CLIFF_NEAR, 3, 1.4, 1.15, 1.15, 1.4, 1.0, 2.5);
        assertThat(alerts)
                .extracting(ThrottlingAlert::severity)
                .containsExactly(AlertSeverity.WARNING, AlertSeverity.CRITICAL);
    }

    /** A pager is for what happens now: that a pulse would be enough is a state. */
    @Example
    void whatAPulseCouldDoNeverPagesByItself() {
        assertThat(judged(AlertKind.VULNERABLE, 1, 1, 2, 2, 2))
                .extracting(ThrottlingAlert::severity)
                .containsExactly(AlertSeverity.WARNING);
    }

    /** The alert begins where the alarm of the minute does: one headroom, not two. */
    @Example
    void theAlertBeginsAtTheHeadroomOfTheEarlyWarning() {
        double headroom = EarlyWarning.Rule.DEFAULT.headroomMin();
        double above = headroom + 0.01;
        assertThat(judged(AlertKind.CLIFF_NEAR, above, above)).isEmpty();
        assertThat(judged(AlertKind.CLIFF_NEAR, headroom, headroom)).hasSize(1);
    }

    /** One minute may be chance; a service that is about to collapse may have no second one. */
    @Example
    void oneNearMinuteIsNotEnoughUnlessItIsCritical() {
        assertThat(judged(AlertKind.CLIFF_NEAR, 3, 1.15, 3, 1.15, 3)).isEmpty();
        assertThat(judged(AlertKind.CLIFF_NEAR, 3, 1.05))
                .extracting(ThrottlingAlert::severity)
                .containsExactly(AlertSeverity.CRITICAL);
    }

    @Example
    void aMinuteJudgedBeforeChangesNothing() {
        AlertReading bad = AlertReading.of(AlertKind.CLIFF_NEAR, 1, List.of());
        AlertBook.Outcome once =
                AlertBook.EMPTY.judge(HOST, CONTEXT, 60, List.of(bad), AlertRules.DEFAULT);
        assertThat(once.alerts()).hasSize(1);
        for (long minute : new long[] {60, 0}) {
            AlertBook.Outcome again =
                    once.book().judge(HOST, CONTEXT, minute, List.of(bad), AlertRules.DEFAULT);
            assertThat(again.alerts()).isEmpty();
            assertThat(again.book()).isEqualTo(once.book());
        }
    }

    @Example
    void aReadingWithoutAValueChangesNothing() {
        AlertBook.Outcome outcome =
                AlertBook.EMPTY.judge(
                        HOST, CONTEXT, 0, List.of(AlertReading.absent(LEVEL)), AlertRules.DEFAULT);
        assertThat(outcome.book()).isEqualTo(AlertBook.EMPTY);
    }

    @Example
    void whatIsGoneEndsItsAlerts() {
        AlertBook book =
                AlertBook.EMPTY
                        .judge(
                                HOST,
                                CONTEXT,
                                0,
                                List.of(
                                        AlertReading.of(AlertKind.CLIFF_NEAR, 1, List.of()),
                                        AlertReading.of(AlertKind.VULNERABLE, 0, List.of())),
                                AlertRules.DEFAULT)
                        .book();
        List<ThrottlingAlert> ended =
                book.close(HOST, CONTEXT, 5 * MINUTE_US, AlertRules.DEFAULT, "gone");
        assertThat(ended).hasSize(1);
        assertThat(ended.get(0).kind()).isEqualTo(AlertKind.CLIFF_NEAR);
        assertThat(ended.get(0).state()).isEqualTo(State.RESOLVED);
        assertThat(ended.get(0).value()).isEmpty();
        assertThat(ended.get(0).reasons()).containsExactly("gone");
    }

    @Example
    void identityIsOfKindAndSubjectAndNoNameCanMakeTwoOne() {
        assertThat(HOST.alertId(LEVEL))
                .isEqualTo(AlertSubject.ofHost(Origin.MEASURED, "eu", "host-1").alertId(LEVEL))
                .isNotEqualTo(HOST.alertId(AlertKind.SILENT_HOST));
        assertThat(AlertSubject.ofService(Origin.MEASURED, "a", "b/c").alertId(LEVEL))
                .isNotEqualTo(AlertSubject.ofService(Origin.MEASURED, "a/b", "c").alertId(LEVEL));
    }

    @Provide
    Arbitrary<double[]> insideTheBand() {
        return Arbitraries.doubles()
                .between(400, false, 500, false)
                .array(double[].class)
                .ofMinSize(50)
                .ofMaxSize(200);
    }

    @Property(tries = 200)
    void noiseInsideTheBandChangesNothing(@ForAll("insideTheBand") double[] noise) {
        assertThat(judged(LEVEL, noise)).isEmpty();
        double[] led = new double[noise.length + 3];
        Arrays.fill(led, 0, 3, 500);
        System.arraycopy(noise, 0, led, 3, noise.length);
        assertThat(judged(LEVEL, led))
                .extracting(ThrottlingAlert::state)
                .containsExactly(State.FIRING);
    }

    @Provide
    Arbitrary<double[]> anything() {
        return Arbitraries.doubles()
                .between(0, 3_000)
                .array(double[].class)
                .ofMinSize(1)
                .ofMaxSize(300);
    }

    @Property(tries = 500)
    void anEndFollowsABeginningAndAtMostOneOccurrenceIsOpen(@ForAll("anything") double[] values) {
        boolean open = false;
        long since = 0;
        for (ThrottlingAlert alert : judged(LEVEL, values)) {
            if (alert.state() == State.RESOLVED) {
                assertThat(open).isTrue();
                assertThat(alert.sinceUs()).isEqualTo(since);
                open = false;
            } else if (open) {
                assertThat(alert.severity()).isEqualTo(AlertSeverity.CRITICAL);
                assertThat(alert.sinceUs()).isEqualTo(since);
            } else {
                open = true;
                since = alert.sinceUs();
            }
        }
    }

    @Property(tries = 200)
    void theSameMinutesGiveTheSameAlertsHoweverOftenTheyAreTold(
            @ForAll("anything") double[] values) {
        AlertBook book = AlertBook.EMPTY;
        List<ThrottlingAlert> twice = new ArrayList<>();
        for (int minute = 0; minute < values.length; minute++) {
            for (int told = Math.max(0, minute - 3); told <= minute; told++) {
                AlertBook.Outcome outcome =
                        book.judge(
                                HOST,
                                CONTEXT,
                                told * MINUTE_US,
                                List.of(AlertReading.of(LEVEL, values[told], List.of("because"))),
                                AlertRules.DEFAULT);
                book = outcome.book();
                twice.addAll(outcome.alerts());
            }
        }
        assertThat(twice).isEqualTo(judged(LEVEL, values));
    }

    @Example
    void senselessRulesAreRefused() {
        OptionalDouble never = OptionalDouble.empty();
        assertThatThrownBy(() -> new AlertRule(LEVEL, 5, 5, never, 1, 1))
                .hasMessageContaining("must differ");
        assertThatThrownBy(() -> new AlertRule(LEVEL, 5, 4, never, 0, 1))
                .hasMessageContaining("one minute");
        assertThatThrownBy(() -> new AlertRule(LEVEL, 5, 4, OptionalDouble.of(4), 1, 1))
                .hasMessageContaining("critical");
        assertThatThrownBy(() -> new AlertRule(LEVEL, 4, 5, OptionalDouble.of(4.5), 1, 1))
                .hasMessageContaining("critical");
        assertThatThrownBy(() -> new AlertRules(List.of())).hasMessageContaining("no rule");
    }
}
