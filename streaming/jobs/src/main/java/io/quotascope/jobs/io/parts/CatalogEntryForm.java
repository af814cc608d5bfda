package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link ServiceCatalogEntry} between operators and in state. */
public final class CatalogEntryForm extends WireForm<ServiceCatalogEntry> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ServiceCatalogEntry> type() {
        return ServiceCatalogEntry.class;
    }

    @Override
    protected RecordCodec<ServiceCatalogEntry> codec() {
        return Codecs.CATALOG_ENTRIES;
    }
}
