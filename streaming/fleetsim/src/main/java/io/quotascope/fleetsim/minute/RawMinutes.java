package io.quotascope.fleetsim.minute;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.Host;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.fleet.ShardPlace;
import io.quotascope.fleetsim.template.TemplateKey;
import io.quotascope.fleetsim.template.Templates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A minute of the fleet as its collectors send it: window by window, host by host. */
public final class RawMinutes {
    private final Fleet fleet;
    private final Templates templates;
    private final List<ServiceMinutes> services = new ArrayList<>();

    public RawMinutes(Fleet fleet, Templates templates) {
        this.fleet = fleet;
        this.templates = templates;
        for (Service service : fleet.services()) {
            services.add(new ServiceMinutes(fleet, service, templates));
        }
    }

    /** Makes the runs of the simulator that a minute needs, on all CPUs. */
    public void prepare(long minuteUs) {
        Set<TemplateKey> keys = new LinkedHashSet<>();
        for (ServiceMinutes minutes : services) {
            MinuteState state = minutes.stateAt(minuteUs);
            minutes.service().shards().forEach(shard -> keys.add(minutes.template(state, shard)));
        }
        templates.make(keys);
    }

    /**
     * What one host sends at the end of one window of 10 s.
     *
     * @param report its own window
     * @param windows windows of its shards
     * @param source the template's record of each of these, in the same order
     * @param arrive whether the shards' windows arrive
     */
    public record HostSend(
            HostReport report,
            List<ShardWindow> windows,
            List<ShardWindow> source,
            boolean arrive) {}

    private static final class Bundle {
        private final List<ShardWindow> windows = new ArrayList<>();
        private final List<ShardWindow> source = new ArrayList<>();
        private boolean arrive = true;
    }

    /**
     * The sends of a minute: a list for each window of 10 s, mute hosts left out. Numbers of
     * records are left at 0: who sends counts them.
     */
    public List<List<HostSend>> sends(long minuteUs) {
        List<Map<Integer, Bundle>> slots = new ArrayList<>();
        for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
            slots.add(new HashMap<>());
        }
        for (ServiceMinutes minutes : services) {
            MinuteState state = minutes.stateAt(minuteUs);
            for (ShardPlace shard : minutes.service().shards()) {
                if (!state.mute().contains(shard.host().number())) {
                    add(minutes, state, shard, minuteUs, slots);
                }
            }
        }
        List<List<HostSend>> sends = new ArrayList<>();
        for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
            sends.add(ofSlot(minuteUs + slot * WindowPart.WINDOW_US, slots.get(slot)));
        }
        return sends;
    }

    private static void add(
            ServiceMinutes minutes,
            MinuteState state,
            ShardPlace shard,
            long minuteUs,
            List<Map<Integer, Bundle>> slots) {
        List<ShardWindow> windows = minutes.windows(state, shard, minuteUs);
        List<ShardWindow> source = minutes.source(state, shard);
        for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
            Bundle bundle =
                    slots.get(slot).computeIfAbsent(shard.host().number(), none -> new Bundle());
            bundle.windows.add(windows.get(slot));
            bundle.source.add(source.get(slot));
            bundle.arrive = state.arrives(shard.host());
        }
    }

    private List<HostSend> ofSlot(long startUs, Map<Integer, Bundle> bundles) {
        List<HostSend> sends = new ArrayList<>();
        for (Host host : fleet.hosts()) {
            Bundle bundle = bundles.get(host.number());
            if (bundle != null) {
                HostReport report = HostWindows.of(host, startUs, bundle.windows);
                sends.add(new HostSend(report, bundle.windows, bundle.source, bundle.arrive));
            }
        }
        return sends;
    }
}
