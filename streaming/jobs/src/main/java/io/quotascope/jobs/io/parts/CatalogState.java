package io.quotascope.jobs.io.parts;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.window.ServiceKey;
import java.io.Serializable;
import java.util.Optional;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * The broadcast catalog: which entry is in force for a service. Entries end when they are
 * withdrawn: the catalog is as large as the list of services.
 *
 * @param entry how an entry becomes bytes
 */
public record CatalogState(TypeInformation<ServiceCatalogEntry> entry) implements Serializable {

    /** Entries by {@link ServiceCatalogEntry#topicKey()}; every job describes them alike. */
    public MapStateDescriptor<String, ServiceCatalogEntry> descriptor() {
        return new MapStateDescriptor<>("service-catalog", Types.STRING, entry);
    }

    /** What a judgement of a service knows of the catalog. */
    public CatalogView view(
            ReadOnlyBroadcastState<String, ServiceCatalogEntry> state,
            ServiceKey key,
            long revision)
            throws Exception {
        ServiceCatalogEntry found =
                state.get(ServiceCatalogEntry.topicKey(key.cluster(), key.service()));
        // The topic's key joins two names with a slash, which a name may contain too.
        Optional<ServiceCatalogEntry> known =
                Optional.ofNullable(found).filter(each -> each.cluster().equals(key.cluster()));
        return new CatalogView(known, revision);
    }

    /** Takes an entry over, unless a newer one is known. */
    public void take(ServiceCatalogEntry entry, BroadcastState<String, ServiceCatalogEntry> state)
            throws Exception {
        ServiceCatalogEntry known = state.get(entry.topicKey());
        if (known != null && known.catalogVersion() > entry.catalogVersion()) {
            return;
        }
        if (entry.deleted()) {
            state.remove(entry.topicKey());
        } else {
            state.put(entry.topicKey(), entry);
        }
    }
}
