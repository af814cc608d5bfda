package io.quotascope.domain.window;

/**
 * What rows are about: the shards of one service with one quota and period, in one cluster, from
 * one kind of source.
 *
 * @param origin where the numbers come from
 * @param cluster named part of the fleet
 * @param service deployable
 * @param quotaClass label of {@link Bandwidth#quotaClass()}
 */
public record ServiceKey(Origin origin, String cluster, String service, String quotaClass) {
    /** Key on topic service-windows.v1: origin/cluster/service/quota_class. */
    public String topicKey() {
        return origin.label() + '/' + cluster + '/' + service + '/' + quotaClass;
    }
}
