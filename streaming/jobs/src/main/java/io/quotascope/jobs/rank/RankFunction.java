package io.quotascope.jobs.rank;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.hour.Horizons;
import io.quotascope.domain.rank.LatestState;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.TuningRank;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.horizon.HorizonState;
import io.quotascope.jobs.io.parts.JudgingFunction;
import java.io.Serializable;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.util.Collector;

/**
 * Which service to look at first, judged with every row over the minutes of a trailing horizon that
 * ends with the row's minute, and beside it the state of the service over a minute, an hour, a day
 * and the peaks of two weeks. A minute is kept longer by the horizon, because a late part of a
 * later minute still looks back at it.
 *
 * <p>State: the minutes of {@link JudgingFunction} and the hours of {@link HorizonState}.
 */
public final class RankFunction<O> extends JudgingFunction<LatestState, O> {
    private static final long serialVersionUID = 2L;

    /**
     * Thresholds as Flink can carry them to the task managers; the domain's policy is made from
     * them there.
     */
    public interface Policy extends Serializable {
        RankPolicy make();
    }

    private final Policy policy;
    private transient HorizonState horizons;

    public RankFunction(StateTypes types, Form<LatestState, O> form, long revision, Policy policy) {
        super(types, form, revision, policy.make().horizonMinutes() * WindowPart.MINUTE_US / 1000);
        this.policy = policy;
    }

    @Override
    public void open(OpenContext context) {
        super.open(context);
        horizons = new HorizonState(getRuntimeContext());
    }

    @Override
    protected void merged(
            ServiceWindow row, boolean first, ServiceSums minute, ReadOnlyContext context)
            throws Exception {
        long usageUs = minute.usage().usageUs();
        horizons.add(row, first, usageUs, context.timestamp(), context.timerService());
    }

    @Override
    protected LatestState judge(ServiceWindow row, Minutes merged, CatalogView catalog)
            throws Exception {
        RankPolicy thresholds = policy.make();
        long last = row.sums().windowStartUs();
        SortedMap<Long, ServiceSums> horizon = new TreeMap<>();
        for (int back = thresholds.horizonMinutes() - 1; back >= 0; back--) {
            Optional<ServiceSums> minute = merged.at(last - back * WindowPart.MINUTE_US);
            minute.ifPresent(sums -> horizon.put(sums.windowStartUs(), sums));
        }
        ServiceSums minute = horizon.get(last);
        return new LatestState(
                TuningRank.judge(horizon, row.part(), catalog, thresholds),
                ThrottlingSummary.judge(minute, row.part(), catalog),
                ThreadRatio.judge(minute, row.part(), catalog),
                Horizons.at(horizons.hours(), last));
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<O> out) throws Exception {
        super.onTimer(timestamp, context, out);
        horizons.onTimer(timestamp);
    }
}
