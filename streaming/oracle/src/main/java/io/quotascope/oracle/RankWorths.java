package io.quotascope.oracle;

import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningWorth;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.SingleObject;
import io.quotascope.wire.TuningRanks;
import io.quotascope.wire.avro.TuningRank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a row of the ranking must say of the worth of tuning, given which savings estimate and which
 * judgement of risk it says it rests on. Which ones it rests on follows from nothing in the log:
 * three jobs read and write side by side, and a row waits for nobody.
 */
final class RankWorths {
    /** Rows of the ranking as they are handed over. */
    static final SingleObject<TuningRank> ROWS =
            new SingleObject<>(TuningRank.class, "tuning_rank");

    private final Map<ServiceKey, List<TuningOffer>> offers = new HashMap<>();

    /** Takes a judgement that the ranking may have known. */
    void offer(ServiceOffer made) {
        if (!(made.offer() instanceof TuningOffer.Savings savings) || savings.best()) {
            offers.computeIfAbsent(made.key(), key -> new ArrayList<>()).add(made.offer());
        }
    }

    /**
     * The row with its worth: none if nobody made the judgements that it names, several where a
     * late part had a minute judged again, because either may have come first.
     *
     * @param row what it says of its service, and the ends of the windows of both judgements
     */
    List<TuningRank> of(TuningRank row) {
        List<TuningRank> weighed = new ArrayList<>();
        ServiceKey key = key(row);
        for (Optional<TuningOffer.Savings> savings :
                named(key, row.getSavingsAnalysedAtUs(), TuningOffer.Savings.class)) {
            for (Optional<TuningOffer.Risk> risk :
                    named(key, row.getRiskAnalysedAtUs(), TuningOffer.Risk.class)) {
                TuningWorth worth =
                        TuningWorth.of(
                                TuningRanks.stake(row),
                                savings,
                                risk,
                                RankPolicy.DEFAULT.standInUsdPerCoreYear());
                weighed.add(TuningRanks.with(row, worth));
            }
        }
        return weighed;
    }

    private <T extends TuningOffer> List<Optional<T>> named(
            ServiceKey key, Long analysedAtUs, Class<T> kind) {
        if (analysedAtUs == null) {
            return List.of(Optional.empty());
        }
        return offers.getOrDefault(key, List.of()).stream()
                .filter(offer -> offer.analysedAtUs() == analysedAtUs)
                .filter(kind::isInstance)
                .map(kind::cast)
                .map(Optional::of)
                .toList();
    }

    private static ServiceKey key(TuningRank row) {
        return new ServiceKey(
                Origin.valueOf(row.getOrigin().name().toUpperCase(Locale.ROOT)),
                row.getCluster(),
                row.getService(),
                row.getQuotaClass());
    }
}
