package io.quotascope.jobs.rank;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.JudgingFunction;
import io.quotascope.jobs.io.parts.MergedParts;
import java.io.Serializable;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which service to look at first, judged with every row over the minutes of a trailing horizon that
 * ends with the row's minute. A minute is kept longer by the horizon, because a late part of a
 * later minute still looks back at it.
 */
public final class RankFunction<O> extends JudgingFunction<TuningRank, O> {
    private static final long serialVersionUID = 1L;

    /**
     * Thresholds as Flink can carry them to the task managers; the domain's policy is made from
     * them there.
     */
    public interface Policy extends Serializable {
        RankPolicy make();
    }

    private final Policy policy;

    public RankFunction(StateTypes types, Form<TuningRank, O> form, long revision, Policy policy) {
        super(types, form, revision, policy.make().horizonMinutes() * WindowPart.MINUTE_US / 1000);
        this.policy = policy;
    }

    @Override
    protected TuningRank judge(ServiceWindow row, Minutes merged, CatalogView catalog)
            throws Exception {
        RankPolicy thresholds = policy.make();
        long last = row.sums().windowStartUs();
        SortedMap<Long, ServiceSums> horizon = new TreeMap<>();
        for (int back = thresholds.horizonMinutes() - 1; back >= 0; back--) {
            Optional<MergedParts> minute = merged.at(last - back * WindowPart.MINUTE_US);
            minute.ifPresent(parts -> horizon.put(parts.windowStartUs(), parts.sums()));
        }
        return TuningRank.judge(horizon, row.part(), catalog, thresholds);
    }
}
