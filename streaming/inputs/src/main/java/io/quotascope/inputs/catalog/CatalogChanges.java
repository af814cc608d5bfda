package io.quotascope.inputs.catalog;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What has to be written so that the topic says what a file says: changed and new entries with a
 * greater version, and a withdrawal for each service of the file's clusters that the file names no
 * more. What has not changed keeps its version, so that no judgement looks newer than what it rests
 * on.
 */
final class CatalogChanges {

    private CatalogChanges() {}

    /**
     * @param known the newest entry of each key in the topic
     * @throws InvalidInputException if a version that the file gives is not above that of the entry
     *     it changes
     */
    static List<ServiceCatalogEntry> between(
            Map<String, ServiceCatalogEntry> known, CatalogFile file) throws InvalidInputException {
        List<ServiceCatalogEntry> changes = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        Set<String> clusters = new HashSet<>();
        for (CatalogFile.Stated stated : file.entries()) {
            ServiceCatalogEntry entry = stated.entry();
            keys.add(entry.topicKey());
            clusters.add(entry.cluster());
            ServiceCatalogEntry before = known.get(entry.topicKey());
            if (before == null || !withVersion(entry, before.catalogVersion()).equals(before)) {
                changes.add(withVersion(entry, version(before, stated, file.name())));
            }
        }
        for (ServiceCatalogEntry before : new TreeMap<>(known).values()) {
            if (clusters.contains(before.cluster())
                    && !keys.contains(before.topicKey())
                    && !before.deleted()) {
                changes.add(copy(before, before.catalogVersion() + 1, true));
            }
        }
        return changes;
    }

    private static long version(ServiceCatalogEntry before, CatalogFile.Stated stated, String file)
            throws InvalidInputException {
        long least = before == null ? 1 : before.catalogVersion() + 1;
        long given = stated.version().orElse(least);
        if (given < least) {
            throw new InvalidInputException(
                    file
                            + ":"
                            + stated.line()
                            + ": catalog_version "
                            + given
                            + " of "
                            + stated.entry().topicKey()
                            + " does not rise with its change, use at least "
                            + least
                            + " or leave it out");
        }
        return given;
    }

    private static ServiceCatalogEntry withVersion(ServiceCatalogEntry entry, long version) {
        return copy(entry, version, false);
    }

    private static ServiceCatalogEntry copy(
            ServiceCatalogEntry entry, long version, boolean deleted) {
        return new ServiceCatalogEntry(
                entry.cluster(),
                entry.service(),
                version,
                entry.team(),
                entry.owner(),
                entry.reservedMillicores(),
                entry.priceClass(),
                entry.load(),
                entry.memoryFloorBytes(),
                entry.memoryBytes(),
                entry.minimumShards(),
                entry.aim(),
                deleted);
    }
}
