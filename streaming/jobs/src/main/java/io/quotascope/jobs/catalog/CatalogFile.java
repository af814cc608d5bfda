package io.quotascope.jobs.catalog;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * A catalog as people write it: {@code entries:} and a list of services. It is read as YAML nodes,
 * not as objects, because a node knows its line.
 *
 * @param name name of the file, for messages
 * @param entries the services
 */
record CatalogFile(String name, List<Stated> entries) {

    /**
     * One service as the file states it.
     *
     * @param line where it begins
     * @param version its version; absent = the loader counts on from the topic
     * @param entry what it says; its own version is 1 if the file gives none
     */
    record Stated(int line, OptionalLong version, ServiceCatalogEntry entry) {}

    /**
     * @throws InvalidCatalogException with file, line and field for the first thing that is wrong
     */
    static CatalogFile read(String name, Reader text) throws InvalidCatalogException {
        Node root;
        try {
            root = new Yaml(new LoaderOptions()).compose(text);
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new InvalidCatalogException(name + ":" + line + ": not YAML: " + e.getProblem());
        }
        if (root == null) {
            throw new InvalidCatalogException(name + ":1: the file is empty, expected entries");
        }
        Fields top = Fields.of(name, root, List.of("entries"));
        Node list = top.node("entries").orElseThrow(() -> top.missing("entries"));
        if (!(list instanceof SequenceNode sequence)) {
            throw top.fault(list, "entries must be a list");
        }
        Map<String, Integer> lines = new LinkedHashMap<>();
        List<Stated> entries = new ArrayList<>();
        for (Node each : sequence.getValue()) {
            Stated stated = CatalogEntryFields.read(name, each);
            Integer before = lines.put(stated.entry().topicKey(), stated.line());
            if (before != null) {
                throw top.fault(
                        each,
                        "service "
                                + stated.entry().topicKey()
                                + " is named a second time, first in line "
                                + before);
            }
            entries.add(stated);
        }
        return new CatalogFile(name, entries);
    }
}
