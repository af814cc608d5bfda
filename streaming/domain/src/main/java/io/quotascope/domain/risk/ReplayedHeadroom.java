package io.quotascope.domain.risk;

import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.whatif.advice.HeadroomModel;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Headroom of a situation by {@link CliffSearch}: what a recommendation has to keep free. A
 * collapse beyond the range of the search counts as its end, which is more than anybody asks for.
 */
public final class ReplayedHeadroom implements HeadroomModel {
    private static final int DRAWS = 2;

    private final CliffSearch search;
    private final Optional<ClientPolicy> clients;

    /**
     * A model for one service.
     *
     * @param search scratch memory of the calling thread
     * @param clients timeout and retries; absent when nobody states them
     */
    public ReplayedHeadroom(CliffSearch search, Optional<ClientPolicy> clients) {
        this.search = search;
        this.clients = clients;
    }

    @Override
    public OptionalDouble headroom(Situation situation) {
        if (situation.demand().meanCores() <= 0) {
            return OptionalDouble.empty();
        }
        ShardSituation shard =
                new ShardSituation(
                        situation
                                .demand()
                                .series()
                                .subList(0, Math.min(DRAWS, situation.demand().series().size())),
                        situation.allowance(),
                        clients,
                        situation.cost());
        return OptionalDouble.of(search.collapseMultiple(shard));
    }
}
