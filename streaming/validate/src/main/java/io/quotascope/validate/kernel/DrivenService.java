package io.quotascope.validate.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A service whose load was really raised until it collapsed.
 *
 * @param name its name
 * @param tries the loads at which it was tried
 */
record DrivenService(String name, List<Try> tries) {
    /**
     * One load at which a service was tried: a run, or one for each shard.
     *
     * @param shards all of them
     */
    record Try(List<KernelRun> shards) {
        double utilization() {
            return shards.get(0).utilization();
        }

        boolean collapsed() {
            return KernelRun.collapsed(shards);
        }

        /** Watched well below the collapse, to be asked about, and not to find where it is. */
        boolean watched() {
            return !shards.get(0).samples().isEmpty();
        }
    }

    /**
     * What the search found.
     *
     * @param healthy largest load without collapse below the edge; 0 = none
     * @param collapsed least load with a collapse; infinite = none
     */
    record Edge(double healthy, double collapsed) {
        boolean found() {
            return healthy > 0 && Double.isFinite(collapsed);
        }

        double load() {
            return Math.sqrt(healthy * collapsed);
        }
    }

    /** The services of a recording, whose runs are named by service and load. */
    static List<DrivenService> of(List<KernelRun> runs) {
        Map<String, List<KernelRun>> byLoad =
                runs.stream()
                        .collect(
                                Collectors.groupingBy(
                                        KernelRun::name, LinkedHashMap::new, Collectors.toList()));
        Map<String, List<Try>> services = new LinkedHashMap<>();
        byLoad.forEach(
                (name, shards) ->
                        services.computeIfAbsent(
                                        name.substring(0, name.indexOf('@')),
                                        service -> new ArrayList<>())
                                .add(new Try(shards)));
        List<DrivenService> all = new ArrayList<>();
        services.forEach((name, tries) -> all.add(new DrivenService(name, tries)));
        return all;
    }

    Edge edge() {
        double collapsed =
                tries.stream()
                        .filter(one -> !one.watched() && one.collapsed())
                        .mapToDouble(Try::utilization)
                        .min()
                        .orElse(Double.POSITIVE_INFINITY);
        double healthy =
                tries.stream()
                        .filter(one -> !one.collapsed() && one.utilization() < collapsed)
                        .mapToDouble(Try::utilization)
                        .max()
                        .orElse(0);
        return new Edge(healthy, collapsed);
    }

    /** How its work gets dearer with the CPUs that run it. */
    double kappa() {
        return tries.get(0).shards().get(0).kappa();
    }

    int shards() {
        return tries.get(0).shards().size();
    }
}
