package io.quotascope.fleetsim.minute;

import io.quotascope.domain.window.AgentConduct;
import io.quotascope.domain.window.AgentCost;
import io.quotascope.domain.window.CgroupVersion;
import io.quotascope.domain.window.HostLoad;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.HostShape;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ServiceRecords;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.fleet.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A host's own window, made of the windows of its shards. */
final class HostWindows {
    /** What runs beside the shards, share of the host's CPUs. */
    private static final double BESIDE = 0.03;

    /** A noisy host is used up to here, whatever its shards do. */
    private static final double NOISY = 0.97;

    private static final int SAMPLES = 1_000;
    private static final int THREADS_BESIDE = 250;
    private static final int AGENT_CPU_US = 30_000;
    private static final long AGENT_RSS_BYTES = 26L << 20;

    private HostWindows() {}

    /**
     * The window.
     *
     * @param windows windows of all its shards, sent or lost on the way
     */
    static HostReport of(Host host, long startUs, List<ShardWindow> windows) {
        long shardsUs = windows.stream().mapToLong(each -> each.usage().usageUs()).sum();
        long capacityUs = host.cpus() * WindowPart.WINDOW_US;
        long usageUs = Math.min(capacityUs, shardsUs + (long) (BESIDE * capacityUs));
        if (host.noisy()) {
            usageUs = Math.max(usageUs, (long) (NOISY * capacityUs));
        }
        long threads = windows.stream().mapToLong(each -> each.threads().orElse(0)).sum();
        return new HostReport(
                new Sender(host.id(), host.agentEpoch(), 0),
                Origin.SIMULATED,
                host.cluster(),
                startUs,
                new HostLoad(
                        SAMPLES,
                        0,
                        1,
                        Optional.empty(),
                        OptionalLong.of(usageUs),
                        OptionalLong.of(0),
                        OptionalLong.of(capacityUs / 1000),
                        OptionalLong.of(THREADS_BESIDE + threads),
                        OptionalLong.of(1 + usageUs / WindowPart.WINDOW_US),
                        OptionalLong.of(50_000)),
                shape(host, windows),
                windows.size(),
                stated(windows),
                0,
                0,
                new AgentCost(
                        AGENT_CPU_US,
                        OptionalLong.of(AGENT_CPU_US / 3),
                        AGENT_RSS_BYTES,
                        OptionalLong.of(8L << 20),
                        0,
                        Map.of()),
                AgentConduct.UNEVENTFUL);
    }

    private static HostShape shape(Host host, List<ShardWindow> windows) {
        double quotaCores =
                windows.stream().mapToDouble(each -> each.bandwidth().quotaCores().orElse(0)).sum();
        return new HostShape(
                host.cpus(),
                Math.round(1000 * quotaCores),
                0,
                OptionalLong.empty(),
                host.kernel().release(),
                CgroupVersion.V2,
                OptionalLong.of(250),
                "simulation",
                0);
    }

    private static List<ServiceRecords> stated(List<ShardWindow> windows) {
        Map<String, List<ShardWindow>> services = new TreeMap<>();
        for (ShardWindow window : windows) {
            String place = window.service() + '\n' + window.bandwidth().quotaClass();
            services.computeIfAbsent(place, none -> new ArrayList<>()).add(window);
        }
        return services.values().stream()
                .map(
                        each ->
                                new ServiceRecords(
                                        each.get(0).service(),
                                        each.get(0).bandwidth(),
                                        each.size()))
                .toList();
    }
}
