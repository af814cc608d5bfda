package io.quotascope.jobs.verification;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertContext;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertReading;
import io.quotascope.domain.alert.AlertRules;
import io.quotascope.domain.alert.AlertSubject;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.alerts.AlertBookForm;
import io.quotascope.jobs.io.alerts.AlertForm;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.state.ByteFormType;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.OutputTag;

/**
 * Tells once that a change took back what had been saved, and once that this is over: because the
 * service recovered, the change was withdrawn, or nobody looks at it any more.
 *
 * <p>State: 60 bytes of each service with a change that regressed, as long as one is watched.
 */
final class Regressions implements Serializable {
    private static final long serialVersionUID = 1L;

    static final OutputTag<ThrottlingAlert> ALERTS =
            new OutputTag<>("alerts", new ByteFormType<>(new AlertForm()));

    private final AlertOptions.Rules rules;
    private final long revision;
    private transient AlertRules made;
    private transient MapState<String, AlertBook> books;

    /**
     * @param rules when alerts begin and end
     * @param revision reprocessing revision
     */
    Regressions(AlertOptions.Rules rules, long revision) {
        this.rules = rules;
        this.revision = revision;
    }

    void open(RuntimeContext context) {
        made = rules.make();
        books =
                context.getMapState(
                        new MapStateDescriptor<>(
                                "regressions",
                                Types.STRING,
                                new ByteFormType<>(new AlertBookForm())));
    }

    /**
     * What the changes of a service come to now.
     *
     * @param about one of them, which names the service
     * @param team that owns it
     * @param watched those that are looked at
     * @param reasons why, from the judgements of this instant
     */
    void tell(
            ChangeEvent about,
            Optional<String> team,
            Collection<KeptChange> watched,
            List<String> reasons,
            KeyedProcessFunction<String, ClusterEvidence, ?>.OnTimerContext context)
            throws Exception {
        String service = about.service();
        boolean regressed = watched.stream().anyMatch(KeptChange::regressed);
        AlertBook before = books.get(service);
        if (before == null && !regressed) {
            return;
        }
        AlertBook.Outcome outcome =
                (before == null ? AlertBook.EMPTY : before)
                        .judge(
                                AlertSubject.ofService(about.origin(), about.cluster(), service),
                                context(team),
                                WindowPart.minuteOf(context.timestamp() * 1_000),
                                List.of(
                                        AlertReading.of(
                                                AlertKind.SAVINGS_REGRESSED,
                                                regressed ? 1 : 0,
                                                reasons)),
                                made);
        if (outcome.book().firing().isEmpty() && !regressed) {
            books.remove(service);
        } else {
            books.put(service, outcome.book());
        }
        outcome.alerts().forEach(alert -> context.output(ALERTS, alert));
    }

    /** Why a change counts as one that took back what had been saved, in words. */
    static List<String> why(VerifiedChange result) {
        List<String> reasons = new ArrayList<>();
        ChangeEvent change = result.change();
        reasons.add(
                "after the change of "
                        + change.kind().label()
                        + " at "
                        + Instant.ofEpochSecond(change.atUs() / 1_000_000)
                        + change.recommendationId().map(id -> ", recommendation " + id).orElse(""));
        reasons.addAll(result.reasons());
        return reasons;
    }

    private AlertContext context(Optional<String> team) {
        return new AlertContext(
                CatalogView.without(revision).rowVersion(),
                0,
                team,
                OptionalInt.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }
}
