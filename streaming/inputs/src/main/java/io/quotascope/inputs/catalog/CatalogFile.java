package io.quotascope.inputs.catalog;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A catalog as people write it: services, as YAML under {@code entries} or as CSV. A file with a
 * fault is no catalog at all, because a service that cannot be read must not look withdrawn.
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
     * @throws InvalidInputException with file, line and field for the first thing that is wrong
     */
    static CatalogFile of(String name, InputFile file) throws InvalidInputException {
        Map<String, Integer> lines = new LinkedHashMap<>();
        List<Stated> entries = new ArrayList<>();
        for (Fields each : file.entries()) {
            Stated stated = CatalogEntryFields.read(each);
            Integer before = lines.put(stated.entry().topicKey(), stated.line());
            if (before != null) {
                throw each.fault(
                        "",
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
