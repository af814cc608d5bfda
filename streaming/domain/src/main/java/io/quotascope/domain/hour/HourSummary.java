package io.quotascope.domain.hour;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WindowPart;
import java.util.OptionalDouble;

/**
 * One service and class in one hour.
 *
 * @param scope of what and when; the window is the hour
 * @param minutes minutes of it that had rows
 * @param minuteRows rows of minutes and parts merged
 * @param usedCores used cores of all shards together, over the minutes that had rows
 * @param usedCoresMax the same of the minute that used most
 * @param throttledPeriodRatioMax throttled period ratio of the minute in which it was greatest
 * @param throttling what the sums say of throttling and use
 * @param threads what they say of threads
 */
public record HourSummary(
        JudgementScope scope,
        int minutes,
        int minuteRows,
        double usedCores,
        double usedCoresMax,
        OptionalDouble throttledPeriodRatioMax,
        ThrottlingSummary throttling,
        ThreadRatio threads) {
    private static final int ROWS_SHIFT = 12;
    private static final int ROWS_MAX = (1 << ROWS_SHIFT) - 1;

    /**
     * Judges the merge of all parts up to the given one.
     *
     * @param part the part that closed with this row
     */
    public static HourSummary judge(HourSums sums, long part, CatalogView catalog) {
        ServiceSums merged = sums.merged();
        JudgementScope whole = JudgementScope.of(merged, part, catalog);
        int minutes = sums.minutes().size();
        return new HourSummary(
                new JudgementScope(
                        whole.key(),
                        whole.windowStartUs(),
                        part,
                        version(catalog, sums.rows().size()),
                        whole.catalogVersion(),
                        whole.team(),
                        sums.shards(),
                        whole.completeness(),
                        whole.quotaCores(),
                        whole.reservedCores()),
                minutes,
                sums.rows().size(),
                merged.usage().usageUs() / (double) (minutes * WindowPart.MINUTE_US),
                sums.usedCoresMax(),
                sums.throttledPeriodRatioMax(),
                ThrottlingSummary.judge(merged, part, catalog),
                ThreadRatio.judge(merged, part, catalog));
    }

    /** The sums that the row restates. */
    public ServiceSums merged() {
        return throttling.merged();
    }

    /**
     * The row of more of an hour replaces the row of less, in whatever order they reach the table:
     * revision x 2^32 + catalog version x 2^12 + rows merged.
     */
    private static long version(CatalogView catalog, int rows) {
        return catalog.rowVersion()
                - catalog.catalogVersion()
                + (catalog.catalogVersion() << ROWS_SHIFT)
                + Math.min(rows, ROWS_MAX);
    }
}
