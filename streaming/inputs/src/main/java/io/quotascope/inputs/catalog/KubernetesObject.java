package io.quotascope.inputs.catalog;

import io.quotascope.console.InvalidInputException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One object of Kubernetes' API, as far as a catalog needs it. Faults name file, kind and name; a
 * line is not known after anchors and JSON.
 */
final class KubernetesObject {
    /** Suffixes of quantities, as the API's documentation of resource.Quantity lists them. */
    private static final Map<String, BigDecimal> SUFFIXES =
            Map.ofEntries(
                    Map.entry("m", new BigDecimal("0.001")),
                    Map.entry("k", BigDecimal.TEN.pow(3)),
                    Map.entry("M", BigDecimal.TEN.pow(6)),
                    Map.entry("G", BigDecimal.TEN.pow(9)),
                    Map.entry("T", BigDecimal.TEN.pow(12)),
                    Map.entry("P", BigDecimal.TEN.pow(15)),
                    Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
                    Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
                    Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
                    Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
                    Map.entry("Pi", BigDecimal.valueOf(1L << 50)));

    private final String file;
    private final Map<?, ?> tree;

    KubernetesObject(String file, Object tree) throws InvalidInputException {
        this.file = file;
        if (!(tree instanceof Map<?, ?> map)) {
            throw new InvalidInputException(file + ": no object of Kubernetes, found " + tree);
        }
        this.tree = map;
    }

    String kind() {
        return text("kind").orElse("(no kind)");
    }

    String name() throws InvalidInputException {
        return text("metadata", "name").orElseThrow(() -> fault("metadata.name is missing"));
    }

    String namespace(String otherwise) {
        return text("metadata", "namespace").orElse(otherwise);
    }

    List<KubernetesObject> items() throws InvalidInputException {
        return list("items");
    }

    List<KubernetesObject> containers() throws InvalidInputException {
        List<KubernetesObject> containers = list("spec", "template", "spec", "containers");
        if (containers.isEmpty()) {
            throw fault("spec.template.spec.containers is missing");
        }
        return containers;
    }

    /** A label or annotation of the workload, else of its pods. */
    Optional<String> label(String name) {
        return text("metadata", "labels", name)
                .or(() -> text("metadata", "annotations", name))
                .or(() -> text("spec", "template", "metadata", "labels", name))
                .or(() -> text("spec", "template", "metadata", "annotations", name));
    }

    long replicas() throws InvalidInputException {
        Optional<String> stated = text("spec", "replicas");
        return stated.isPresent() ? whole("spec.replicas", stated.get()) : 1;
    }

    /** True when every label that a disruption budget asks for is one of the workload's pods. */
    boolean selects(KubernetesObject workload) {
        return at("spec", "selector", "matchLabels") instanceof Map<?, ?> wanted
                && !wanted.isEmpty()
                && workload.at("spec", "template", "metadata", "labels") instanceof Map<?, ?> had
                && wanted.entrySet().stream()
                        .allMatch(each -> each.getValue().equals(had.get(each.getKey())));
    }

    /** How many of so many pods a disruption budget leaves; its percentages are rounded up. */
    OptionalLong leastAvailable(long replicas) throws InvalidInputException {
        Optional<String> least = text("spec", "minAvailable");
        if (least.isPresent()) {
            return OptionalLong.of(ofReplicas("spec.minAvailable", least.get(), replicas));
        }
        Optional<String> most = text("spec", "maxUnavailable");
        return most.isPresent()
                ? OptionalLong.of(
                        Math.max(
                                0,
                                replicas - ofReplicas("spec.maxUnavailable", most.get(), replicas)))
                : OptionalLong.empty();
    }

    private long ofReplicas(String field, String value, long replicas)
            throws InvalidInputException {
        if (!value.endsWith("%")) {
            return whole(field, value);
        }
        long perCent = whole(field, value.substring(0, value.length() - 1));
        return (perCent * replicas + 99) / 100;
    }

    /**
     * What a container reserves of a resource, in units of 10^-digits, rounded up: its request, or
     * its limit where it states no request, as Kubernetes has it. Absent when it states neither.
     *
     * @throws InvalidInputException when what is stated is no quantity
     */
    OptionalLong reserved(String resource, int digits) throws InvalidInputException {
        OptionalLong requested = quantity("requests", resource, digits);
        return requested.isPresent() ? requested : quantity("limits", resource, digits);
    }

    /**
     * What a container may use of a resource, likewise: its limit, or its request where it states
     * no limit, because more is promised to nobody.
     *
     * @throws InvalidInputException when what is stated is no quantity
     */
    OptionalLong allowed(String resource, int digits) throws InvalidInputException {
        OptionalLong limited = quantity("limits", resource, digits);
        return limited.isPresent() ? limited : quantity("requests", resource, digits);
    }

    private OptionalLong quantity(String kind, String resource, int digits)
            throws InvalidInputException {
        Optional<String> stated = text("resources", kind, resource);
        if (stated.isEmpty()) {
            return OptionalLong.empty();
        }
        String text = stated.get();
        int end = text.length();
        while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
            end--;
        }
        String suffix = text.substring(end);
        BigDecimal factor =
                suffix.isEmpty() ? BigDecimal.ONE : SUFFIXES.getOrDefault(suffix, BigDecimal.ZERO);
        try {
            BigDecimal value = new BigDecimal(text.substring(0, end)).multiply(factor);
            if (value.signum() > 0 || factor.signum() > 0 && value.signum() == 0) {
                return OptionalLong.of(
                        value.movePointRight(digits)
                                .setScale(0, RoundingMode.CEILING)
                                .longValueExact());
            }
        } catch (ArithmeticException | NumberFormatException e) {
            // Told below.
        }
        throw fault("resources." + kind + '.' + resource + " is no quantity: " + text);
    }

    String requiredText(String name) throws InvalidInputException {
        return text(name).orElseThrow(() -> fault(name + " is missing"));
    }

    InvalidInputException fault(String what) {
        return new InvalidInputException(
                file
                        + ": "
                        + text("kind").orElse("container")
                        + ' '
                        + text("metadata", "name").or(() -> text("name")).orElse("without a name")
                        + ": "
                        + what);
    }

    private long whole(String field, String value) throws InvalidInputException {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw fault(field + " must be a whole number, found " + value);
        }
    }

    private Optional<String> text(String... path) {
        Object value = at(path);
        return value == null || value instanceof Map || value instanceof List
                ? Optional.empty()
                : Optional.of(value.toString()).filter(found -> !found.isBlank());
    }

    private List<KubernetesObject> list(String... path) throws InvalidInputException {
        List<KubernetesObject> found = new ArrayList<>();
        if (at(path) instanceof List<?> members) {
            for (Object member : members) {
                found.add(new KubernetesObject(file, member));
            }
        }
        return found;
    }

    private Object at(String... path) {
        Object value = tree;
        for (String name : path) {
            value = value instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return value;
    }
}
