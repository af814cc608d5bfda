package io.quotascope.fleetsim.door;

import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.fleet.Change;
import io.quotascope.fleetsim.fleet.FleetSettings;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.fleet.ShardPlace;
import io.quotascope.fleetsim.minute.MinuteState;
import io.quotascope.fleetsim.minute.ServiceRows;
import io.quotascope.fleetsim.template.TemplateKey;
import io.quotascope.fleetsim.truth.ChangeEffect;
import io.quotascope.fleetsim.truth.SentHour;
import io.quotascope.fleetsim.truth.TruthFile;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The rows of one service, and what is true of it beside them. Not for two threads at once. */
final class ServiceTruth {
    private final ServiceRows rows;
    private final Service service;
    private final ChangeEffect effect = new ChangeEffect();

    private record HourOfClass(String quotaClass, long startUs) implements Comparable<HourOfClass> {
        @Override
        public int compareTo(HourOfClass other) {
            int order = Long.compare(startUs, other.startUs);
            return order != 0 ? order : quotaClass.compareTo(other.quotaClass);
        }
    }

    private final Map<HourOfClass, SentHour> hours = new TreeMap<>();

    ServiceTruth(ServiceRows rows) {
        this.rows = rows;
        service = rows.minutes().service();
    }

    /** The row of a minute; minutes come in the order of time. */
    Optional<ServiceWindow> minute(long minuteUs) {
        MinuteState state = rows.minutes().stateAt(minuteUs);
        count(minuteUs, state);
        service.change()
                .filter(change -> minuteUs >= change.atUs())
                .ifPresent(change -> compare(minuteUs, state, change));
        return rows.row(minuteUs);
    }

    private void compare(long minuteUs, MinuteState state, Change change) {
        ServiceSums with = rows.sums(state, minuteUs);
        ServiceSums without = rows.sums(state.under(change.before()), minuteUs);
        effect.add(minuteUs, with, without);
    }

    private void count(long minuteUs, MinuteState state) {
        long startUs = Math.floorDiv(minuteUs, FleetSettings.HOUR_US) * FleetSettings.HOUR_US;
        long stated = 0;
        long arrived = 0;
        long mute = 0;
        for (ShardPlace shard : service.shards()) {
            boolean isMute = state.mute().contains(shard.host().number());
            mute += isMute ? WindowPart.SLOTS : 0;
            stated += isMute ? 0 : WindowPart.SLOTS;
            boolean isLost = isMute || state.lossy().contains(shard.host().number());
            arrived += isLost ? 0 : WindowPart.SLOTS;
        }
        HourOfClass hour = new HourOfClass(state.setting().bandwidth().quotaClass(), startUs);
        SentHour before = hours.getOrDefault(hour, SentHour.of(startUs));
        hours.put(hour, before.plus(stated, arrived, mute));
    }

    /** Adds the runs that its rows need. */
    void addNeeded(FleetSettings settings, Set<TemplateKey> keys) {
        for (long minuteUs = settings.startUs();
                minuteUs < settings.endUs();
                minuteUs += WindowPart.MINUTE_US) {
            MinuteState state = rows.minutes().stateAt(minuteUs);
            add(state, keys);
            service.change().ifPresent(change -> add(state.under(change.before()), keys));
        }
    }

    private void add(MinuteState state, Set<TemplateKey> keys) {
        for (ShardPlace shard : service.shards()) {
            keys.add(rows.minutes().template(state, shard));
        }
    }

    /** Writes down what really happened. */
    void tell(TruthFile truth) throws IOException {
        if (service.change().isPresent()) {
            truth.write(service, service.change().get(), effect);
        }
        for (Map.Entry<HourOfClass, SentHour> hour : hours.entrySet()) {
            if (hour.getValue().lacks()) {
                truth.write(service, hour.getKey().quotaClass(), hour.getValue());
            }
        }
    }
}
