package io.quotascope.jobs.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The fields of one YAML mapping, each fault of which is told with file, line and name. */
final class Fields {
    private final String file;
    private final Node mapping;
    private final Map<String, Node> values = new LinkedHashMap<>();

    private Fields(String file, Node mapping) {
        this.file = file;
        this.mapping = mapping;
    }

    static Fields of(String file, Node node, List<String> known) throws InvalidCatalogException {
        Fields fields = new Fields(file, node);
        if (!(node instanceof MappingNode mapping)) {
            throw fields.fault(node, "expected a mapping with " + String.join(", ", known));
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
            if (!known.contains(name)) {
                throw fields.fault(
                        tuple.getKeyNode(),
                        "unknown field " + name + ", expected one of " + String.join(", ", known));
            }
            if (fields.values.put(name, tuple.getValueNode()) != null) {
                throw fields.fault(tuple.getKeyNode(), name + " is given a second time");
            }
        }
        return fields;
    }

    Optional<Node> node(String name) {
        return Optional.ofNullable(values.get(name))
                .filter(node -> !node.getTag().equals(Tag.NULL));
    }

    String requiredText(String name) throws InvalidCatalogException {
        return text(name).orElseThrow(() -> missing(name));
    }

    Optional<String> text(String name) throws InvalidCatalogException {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return Optional.empty();
        }
        if (!(node.get() instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
            throw fault(node.get(), name + " must be text");
        }
        return Optional.of(scalar.getValue());
    }

    OptionalLong number(String name, long least, long most) throws InvalidCatalogException {
        Optional<Node> node = node(name);
        if (node.isEmpty()) {
            return OptionalLong.empty();
        }
        String found =
                node.get() instanceof ScalarNode scalar ? scalar.getValue() : "a nested value";
        try {
            long value = Long.parseLong(found);
            if (value >= least && value <= most) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException e) {
            // Told below in one sentence with the range.
        }
        String bound =
                most == Long.MAX_VALUE ? " of at least " + least : " from " + least + " to " + most;
        throw fault(node.get(), name + " must be a whole number" + bound + ", found " + found);
    }

    InvalidCatalogException missing(String name) {
        return fault(mapping, name + " is missing");
    }

    InvalidCatalogException fault(String name, String what) {
        return fault(values.getOrDefault(name, mapping), what);
    }

    InvalidCatalogException fault(Node at, String what) {
        return new InvalidCatalogException(
                file + ":" + (at.getStartMark().getLine() + 1) + ": " + what);
    }
}
