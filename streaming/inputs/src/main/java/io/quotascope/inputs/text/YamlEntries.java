package io.quotascope.inputs.text;

import io.quotascope.console.InvalidInputException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A YAML text with one list of entries. It is read as nodes, not as objects, because a node knows
 * its line.
 */
public final class YamlEntries {
    private final String file;
    private final InputFile.Form form;

    private YamlEntries(String file, InputFile.Form form) {
        this.file = file;
        this.form = form;
    }

    /**
     * @throws InvalidInputException with file and line
     */
    public static InputFile read(String file, Reader text, InputFile.Form form)
            throws InvalidInputException {
        try {
            Node root = new Yaml(new LoaderOptions()).compose(text);
            if (root == null) {
                throw new InvalidInputException(
                        file + ":1: the file is empty, expected " + form.list());
            }
            return new YamlEntries(file, form).read(root);
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            throw new InvalidInputException(
                    file
                            + ":"
                            + (mark == null ? 1 : mark.getLine() + 1)
                            + ": not YAML: "
                            + e.getProblem());
        } catch (YAMLException e) {
            throw new InvalidInputException(file + ":1: not YAML: " + e.getMessage());
        }
    }

    private InputFile read(Node root) throws InvalidInputException {
        List<String> topNames = new ArrayList<>(form.beside());
        topNames.add(form.list());
        InputFile.Form topForm = InputFile.Form.of(form.list(), List.of(), topNames);
        Map<String, Node> top = nodes(root, topForm);
        Node list = top.remove(form.list());
        if (list == null) {
            throw at(root, form.list() + " is missing");
        }
        if (!(list instanceof SequenceNode sequence)) {
            throw at(list, form.list() + " must be a list");
        }
        List<Fields> entries = new ArrayList<>();
        for (Node each : sequence.getValue()) {
            entries.add(fields(each, nodes(each, form)));
        }
        return new InputFile(fields(root, top), entries);
    }

    private Fields fields(Node at, Map<String, Node> nodes) {
        Map<String, Fields.Cell> cells = new LinkedHashMap<>();
        nodes.forEach(
                (name, node) ->
                        cells.put(
                                name,
                                new Fields.Cell(
                                        line(node),
                                        node instanceof ScalarNode scalar
                                                ? Optional.of(scalar.getValue())
                                                : Optional.empty())));
        return new Fields(file, line(at), cells);
    }

    /** The nodes of a mapping that are not null. */
    private Map<String, Node> nodes(Node node, InputFile.Form known) throws InvalidInputException {
        if (!(node instanceof MappingNode mapping)) {
            throw at(node, "expected a mapping with " + String.join(", ", known.known()));
        }
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String name = tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
            if (!known.knows(name)) {
                throw at(tuple.getKeyNode(), known.unknown(name));
            }
            if (nodes.put(name, tuple.getValueNode()) != null) {
                throw at(tuple.getKeyNode(), name + " is given a second time");
            }
        }
        nodes.values().removeIf(value -> value.getTag().equals(Tag.NULL));
        return nodes;
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private InvalidInputException at(Node node, String what) {
        return new InvalidInputException(file + ":" + line(node) + ": " + what);
    }
}
