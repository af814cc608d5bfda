package io.quotascope.domain.fleet;

import io.quotascope.domain.savings.Kappa;
import io.quotascope.domain.whatif.advice.Target;
import java.util.Optional;

/**
 * What a judgement knows besides the window: the catalog entry in force, the reprocessing revision
 * and what concurrency costs the service.
 *
 * @param entry the entry; absent when there is none or it was withdrawn
 * @param revision reprocessing revision, at least 1
 * @param kappa cost of concurrency, measured or the prior
 */
public record CatalogView(Optional<ServiceCatalogEntry> entry, long revision, Kappa kappa) {
    private static final int REVISION_SHIFT = 32;

    /** A withdrawn entry is none. */
    public CatalogView {
        entry = entry.filter(known -> !known.deleted());
    }

    /** Where nobody counted requests. */
    public CatalogView(Optional<ServiceCatalogEntry> entry, long revision) {
        this(entry, revision, Kappa.PRIOR);
    }

    /** No entry. */
    public static CatalogView without(long revision) {
        return new CatalogView(Optional.empty(), revision);
    }

    /** Version of the entry; 0 when there is none. */
    public long catalogVersion() {
        return entry.map(ServiceCatalogEntry::catalogVersion).orElse(0L);
    }

    /**
     * Version of a judgement's row, of which the greatest wins: revision x 2^32 + catalog version.
     */
    public long rowVersion() {
        return (revision << REVISION_SHIFT) + catalogVersion();
    }

    /** The revision within such a version. */
    public static long revisionOf(long rowVersion) {
        return rowVersion >>> REVISION_SHIFT;
    }

    /** What a gain is taken as: the owner's choice, else savings. */
    public Target.Aim aim() {
        return entry.flatMap(ServiceCatalogEntry::aim).orElse(Target.Aim.SAVINGS);
    }

    /** Team of the entry. */
    public Optional<String> team() {
        return entry.flatMap(ServiceCatalogEntry::team);
    }
}
