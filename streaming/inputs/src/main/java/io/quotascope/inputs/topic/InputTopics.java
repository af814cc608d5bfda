package io.quotascope.inputs.topic;

import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.ledger.Proposal;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.Proposals;

/**
 * The topics of schemas/topics.yaml that this program writes, and the one that it proposes from.
 */
public final class InputTopics {
    private InputTopics() {}

    /** The service catalog. */
    public static TopicLog<ServiceCatalogEntry> catalog(KafkaPlace place) {
        return new TopicLog<>(
                place, "service-catalog.v1", Codecs.CATALOG_ENTRIES, ServiceCatalogEntry::topicKey);
    }

    /** The price book, which is one for the fleet. */
    public static TopicLog<PriceBook> prices(KafkaPlace place) {
        return new TopicLog<>(place, "price-book.v1", Codecs.PRICE_BOOKS, book -> "price-book");
    }

    /** Changes of services. */
    public static TopicLog<ChangeEvent> changes(KafkaPlace place) {
        return new TopicLog<>(
                place, "change-events.v1", Codecs.CHANGE_EVENTS, ChangeEvent::topicKey);
    }

    /** The recommendation ledger. */
    public static TopicLog<Recommendation> ledger(KafkaPlace place) {
        return new TopicLog<>(
                place, "recommendation-ledger.v1", Codecs.RECOMMENDATIONS, Recommendation::key);
    }

    /** Estimates of savings, as far as a recommendation needs them; they are only read here. */
    public static TopicLog<Proposal> estimates(KafkaPlace place) {
        return new TopicLog<>(
                place,
                "savings-estimates.v1",
                Proposals.CODEC,
                estimate -> estimate.key().topicKey());
    }

    /** Requests of services. */
    public static TopicLog<ServiceLoad> loads(KafkaPlace place) {
        return new TopicLog<>(
                place, "service-load.v1", Codecs.SERVICE_LOADS, ServiceLoad::topicKey);
    }
}
