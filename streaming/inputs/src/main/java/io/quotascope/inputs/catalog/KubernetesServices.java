package io.quotascope.inputs.catalog;

import io.quotascope.console.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Services out of Kubernetes objects. One entry a container of a workload, because a shard is a
 * pod's container; reserved cores and the memory floor are its requests, the memory that it has is
 * its limit.
 */
final class KubernetesServices {
    private static final Set<String> WORKLOADS = Set.of("Deployment", "StatefulSet", "DaemonSet");

    /**
     * Which labels or annotations name what; those of the workload come before those of its pods.
     */
    record Labels(String team, String owner, String priceClass) {}

    private final Labels labels;
    private final String cluster;
    private final String namespace;
    private final List<KubernetesObject> workloads = new ArrayList<>();
    private final List<KubernetesObject> budgets = new ArrayList<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();

    KubernetesServices(Labels labels, String cluster, String namespace) {
        this.labels = labels;
        this.cluster = cluster;
        this.namespace = namespace;
    }

    /**
     * Takes the objects of a file: YAML documents, of which JSON is one.
     *
     * @throws InvalidInputException when it cannot be read
     */
    void add(String file, String text) throws InvalidInputException {
        try {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(Integer.MAX_VALUE);
            for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
                if (document != null) {
                    take(new KubernetesObject(file, document));
                }
            }
        } catch (YAMLException e) {
            throw new InvalidInputException(
                    file + ": neither manifests nor kubectl JSON: " + e.getMessage());
        }
    }

    private void take(KubernetesObject object) throws InvalidInputException {
        String kind = object.kind();
        if (kind.endsWith("List")) {
            for (KubernetesObject item : object.items()) {
                take(item);
            }
        } else if (WORKLOADS.contains(kind)) {
            workloads.add(object);
        } else if (kind.equals("PodDisruptionBudget")) {
            budgets.add(object);
        } else {
            leftOut.merge(kind, 1, Integer::sum);
        }
    }

    /** The catalog as YAML that {@code catalog load} reads. */
    String toCatalog() throws InvalidInputException {
        Map<String, Map<String, Object>> entries = new TreeMap<>();
        for (KubernetesObject workload : workloads) {
            for (KubernetesObject container : workload.containers()) {
                Map<String, Object> entry = entry(workload, container);
                String service = String.valueOf(entry.get("service"));
                if (entries.put(service, entry) != null) {
                    throw workload.fault(service + " is there a second time");
                }
            }
        }
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setIndicatorIndent(2);
        options.setIndentWithIndicator(true);
        return new Yaml(options).dump(Map.of("entries", List.copyOf(entries.values())));
    }

    /** How many services there are, and what is in none. */
    String summary() {
        return workloads.size()
                + " workloads, "
                + budgets.size()
                + " disruption budgets; left out: "
                + (leftOut.isEmpty() ? "nothing" : leftOut);
    }

    private Map<String, Object> entry(KubernetesObject workload, KubernetesObject container)
            throws InvalidInputException {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("cluster", cluster);
        entry.put(
                "service",
                workload.namespace(namespace)
                        + '/'
                        + workload.name()
                        + '/'
                        + container.requiredText("name"));
        put(entry, "team", workload.label(labels.team()));
        put(entry, "owner", workload.label(labels.owner()));
        OptionalLong millicores = container.reserved("cpu", 3);
        if (millicores.isPresent() && millicores.getAsLong() > 0) {
            entry.put("reserved_millicores", millicores.getAsLong());
        }
        put(entry, "price_class", workload.label(labels.priceClass()));
        container.reserved("memory", 0).ifPresent(bytes -> entry.put("memory_floor_bytes", bytes));
        container
                .allowed("memory", 0)
                .ifPresent(bytes -> entry.put("memory_bytes", Math.max(1, bytes)));
        OptionalLong shards = minimumShards(workload);
        shards.ifPresent(least -> entry.put("minimum_shards", least));
        return entry;
    }

    private static void put(Map<String, Object> entry, String name, Optional<String> value) {
        value.ifPresent(text -> entry.put(name, text));
    }

    /**
     * The least number of pods that a disruption budget leaves; else the replicas; nothing for a
     * DaemonSet, which has one a node.
     */
    private OptionalLong minimumShards(KubernetesObject workload) throws InvalidInputException {
        if (workload.kind().equals("DaemonSet")) {
            return OptionalLong.empty();
        }
        long replicas = workload.replicas();
        for (KubernetesObject budget : budgets) {
            if (budget.namespace(namespace).equals(workload.namespace(namespace))
                    && budget.selects(workload)) {
                OptionalLong left = budget.leastAvailable(replicas);
                if (left.isPresent()) {
                    return left;
                }
            }
        }
        return OptionalLong.of(replicas);
    }
}
