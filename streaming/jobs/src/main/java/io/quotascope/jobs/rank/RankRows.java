package io.quotascope.jobs.rank;

import io.quotascope.domain.rank.LatestState;
import io.quotascope.domain.rank.TuningStake;
import io.quotascope.domain.rank.TuningWorth;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.ServiceLatests;
import io.quotascope.wire.TuningRanks;
import io.quotascope.wire.avro.ServiceLatest;
import io.quotascope.wire.avro.TuningRank;

/**
 * The rows of one judgement on their way to two tables.
 *
 * @param key service and class
 * @param rank row of tuning_ranks
 * @param latest row of service_latest
 */
public record RankRows(ServiceKey key, TuningRank rank, ServiceLatest latest) {
    static RankRows of(LatestState state) {
        return new RankRows(
                state.rank().scope().key(),
                TuningRanks.toAvro(state.rank()),
                ServiceLatests.toAvro(state));
    }

    /** How the worth of tuning gets into both rows. */
    static final class Worth implements WorthFunction.Form<RankRows> {
        private static final long serialVersionUID = 1L;

        @Override
        public TuningStake stake(RankRows rows) {
            return TuningRanks.stake(rows.rank);
        }

        @Override
        public RankRows with(RankRows rows, TuningWorth worth) {
            return new RankRows(
                    rows.key,
                    TuningRanks.with(rows.rank, worth),
                    ServiceLatests.with(rows.latest, worth));
        }
    }
}
