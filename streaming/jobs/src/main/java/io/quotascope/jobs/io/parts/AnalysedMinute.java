package io.quotascope.jobs.io.parts;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.risk.EarlyWarning;
import java.util.Optional;

/**
 * What is kept of a minute that was analysed.
 *
 * @param load what it did when it was
 * @param cliff what was found, in multiples of that load; absent in jobs that look for none, and
 *     where none was found
 */
public record AnalysedMinute(EarlyWarning.Minute load, Optional<AnalysedCliff> cliff) {}
