package io.quotascope.domain.ledger;

import io.quotascope.domain.window.Origin;
import java.util.List;
import java.util.Optional;

/**
 * What is advised to whom.
 *
 * @param origin where the evidence came from
 * @param cluster named part of the fleet
 * @param service deployable
 * @param quotaClass quota class whose setting changes; absent = all of the service
 * @param recommendationId identity within the service
 * @param fixSet kinds of changes
 * @param settingText the exact setting to make, in words that can be carried out
 */
public record Advice(
        Origin origin,
        String cluster,
        String service,
        Optional<String> quotaClass,
        String recommendationId,
        List<String> fixSet,
        String settingText) {
    /**
     * An advice.
     *
     * @throws IllegalArgumentException for an empty name or setting, or a slash in the id
     */
    public Advice {
        fixSet = List.copyOf(fixSet);
        if (cluster.isBlank() || service.isBlank() || settingText.isBlank()) {
            throw new IllegalArgumentException(
                    "cluster, service and setting_text must not be empty");
        }
        if (recommendationId.isBlank() || recommendationId.contains("/")) {
            throw new IllegalArgumentException(
                    "recommendation_id must be text without a slash: " + recommendationId);
        }
    }

    /** True when both concern the same service, whose cores must be credited once. */
    public boolean sameService(Advice other) {
        return origin == other.origin
                && cluster.equals(other.cluster)
                && service.equals(other.service);
    }

    /** Key on topic recommendation-ledger.v1: origin/cluster/service/recommendation_id. */
    public String topicKey() {
        return origin.label() + '/' + cluster + '/' + service + '/' + recommendationId;
    }
}
