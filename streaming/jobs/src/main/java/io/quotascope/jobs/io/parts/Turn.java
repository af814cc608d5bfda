package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.ServiceSums;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One minute whose judgement is due, and what is known beside it.
 *
 * @param minute all parts that have arrived
 * @param part the last of them
 * @param trigger why it is to be analysed; absent when it is not
 * @param catalog entry in force
 * @param prices price book in force; absent when none was loaded or the job reads none
 * @param past the state of the service
 */
public record Turn(
        ServiceSums minute,
        long part,
        Optional<AnalysisTrigger> trigger,
        CatalogView catalog,
        Optional<PriceBook> prices,
        Past past) {

    /** What is kept of a service; read only when it is asked for. */
    public interface Past {
        /** Minutes of the horizon that ends with this minute, by their start. */
        SortedMap<Long, ServiceSums> horizon() throws Exception;

        /** Load of the last weeks up to this minute. */
        LoadPeaks peaks() throws Exception;

        /** The last analysis up to this minute that found a cliff. */
        Optional<AnalysedMinute> lastCliff() throws Exception;
    }
}
