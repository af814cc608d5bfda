package io.quotascope.fleetsim.minute;

import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.fleet.Chance;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.Host;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.fleet.ShardPlace;
import io.quotascope.fleetsim.fleet.Silence;
import io.quotascope.fleetsim.template.Levels;
import io.quotascope.fleetsim.template.Template;
import io.quotascope.fleetsim.template.TemplateKey;
import io.quotascope.fleetsim.template.Templates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The records of one service, minute by minute. */
public final class ServiceMinutes {
    /** A collector sends the raw samples of a shard in one window of so many. */
    static final int EXEMPLAR_ONE_IN = 30;

    private final Service service;
    private final Templates templates;
    private final List<Silence> silences;
    private final long seed;

    public ServiceMinutes(Fleet fleet, Service service, Templates templates) {
        this.service = service;
        this.templates = templates;
        silences =
                fleet.silences().stream()
                        .filter(
                                silence ->
                                        service.shards().stream()
                                                .anyMatch(
                                                        shard ->
                                                                shard.host()
                                                                        .equals(silence.host())))
                        .toList();
        seed = fleet.settings().seed() * 31 + service.name().hashCode();
    }

    /** The service. */
    public Service service() {
        return service;
    }

    /** What it does in a minute. */
    public MinuteState stateAt(long minuteUs) {
        SortedSet<Integer> mute = new TreeSet<>();
        SortedSet<Integer> lossy = new TreeSet<>();
        for (Silence silence : silences) {
            if (silence.covers(minuteUs)) {
                (silence.whole() ? mute : lossy).add(silence.host().number());
            }
        }
        long variant = Chance.mixed(seed, minuteUs);
        return new MinuteState(
                service.settingAt(minuteUs),
                service.kind().loadMatters() ? Levels.of(service.swing().load(minuteUs)) : 0,
                (int) Math.floorMod(variant, (long) Template.VARIANTS),
                mute,
                lossy);
    }

    /** Row key under a setting. */
    ServiceKey key(MinuteState state) {
        return new ServiceKey(
                Origin.SIMULATED,
                service.cluster(),
                service.name(),
                state.setting().bandwidth().quotaClass());
    }

    /** The template of one shard in a state. */
    public TemplateKey template(MinuteState state, ShardPlace shard) {
        return new TemplateKey(
                service.kind(),
                state.setting(),
                shard.host().kernel().faulty(),
                Levels.clamped(state.level() + shard.levelOffset()));
    }

    /** The windows of one shard, whether they arrive or not. */
    public List<ShardWindow> windows(MinuteState state, ShardPlace shard, long minuteUs) {
        List<ShardWindow> six = source(state, shard);
        List<ShardWindow> windows = new ArrayList<>(WindowPart.SLOTS);
        for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
            windows.add(stamped(six.get(slot), shard, minuteUs, slot));
        }
        return windows;
    }

    /** The template's records that the windows of one shard are made of. */
    List<ShardWindow> source(MinuteState state, ShardPlace shard) {
        return templates.of(template(state, shard)).variant(state.variant() + shard.number());
    }

    /** The windows of all shards that arrive. */
    public List<ShardWindow> arriving(MinuteState state, long minuteUs) {
        List<ShardWindow> windows = new ArrayList<>();
        for (ShardPlace shard : service.shards()) {
            if (state.arrives(shard.host())) {
                windows.addAll(windows(state, shard, minuteUs));
            }
        }
        return windows;
    }

    /** The arriving windows that carry raw samples. */
    List<ShardWindow> exemplars(MinuteState state, long minuteUs) {
        List<ShardWindow> windows = new ArrayList<>();
        for (ShardPlace shard : service.shards()) {
            for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
                if (hasExemplar(shard, minuteUs, slot) && state.arrives(shard.host())) {
                    ShardWindow window = source(state, shard).get(slot);
                    windows.add(stamped(window, shard, minuteUs, slot));
                }
            }
        }
        return windows;
    }

    /** What the hosts say about the service, one statement for each host and window. */
    public List<HostStatement> statements(MinuteState state, long minuteUs) {
        List<HostStatement> statements = new ArrayList<>();
        for (Map.Entry<Integer, List<ShardPlace>> host : byHost().entrySet()) {
            Host place = host.getValue().get(0).host();
            if (state.mute().contains(place.number())) {
                continue;
            }
            for (int slot = 0; slot < WindowPart.SLOTS; slot++) {
                statements.add(
                        new HostStatement(
                                key(state),
                                minuteUs + slot * WindowPart.WINDOW_US,
                                state.setting().bandwidth(),
                                host.getValue().size(),
                                place.kernel().release()));
            }
        }
        return statements;
    }

    private Map<Integer, List<ShardPlace>> byHost() {
        Map<Integer, List<ShardPlace>> hosts = new TreeMap<>();
        for (ShardPlace shard : service.shards()) {
            hosts.computeIfAbsent(shard.host().number(), none -> new ArrayList<>()).add(shard);
        }
        return Collections.unmodifiableMap(hosts);
    }

    private static boolean hasExemplar(ShardPlace shard, long minuteUs, int slot) {
        long number = minuteUs / WindowPart.WINDOW_US + slot + shard.number();
        return number % EXEMPLAR_ONE_IN == 0;
    }

    private ShardWindow stamped(ShardWindow window, ShardPlace shard, long minuteUs, int slot) {
        Host host = shard.host();
        long startUs = minuteUs + slot * WindowPart.WINDOW_US;
        return new ShardWindow(
                new Sender(host.id(), host.agentEpoch(), 0),
                Origin.SIMULATED,
                service.cluster(),
                service.name(),
                shard.name(),
                shard.shardId(),
                startUs,
                window.sampling(),
                window.usage(),
                window.bandwidth(),
                window.burstUs(),
                window.ancestorBandwidth(),
                window.throttling(),
                window.threads(),
                window.runnableHistogram(),
                hasExemplar(shard, minuteUs, slot) ? window.exemplar() : Optional.empty(),
                window.hardware(),
                window.excursionThreads(),
                window.placement());
    }
}
