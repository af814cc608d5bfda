package io.quotascope.domain.analysis;

/**
 * Which minute was analysed, why, and from how much.
 *
 * @param analysedAtUs end of the minute, microseconds since the Unix epoch
 * @param trigger why
 * @param horizonUs length of the horizon that ends with it, microseconds
 * @param horizonWindows minutes of the horizon that had rows
 */
public record Analysed(
        long analysedAtUs, AnalysisTrigger trigger, long horizonUs, int horizonWindows) {}
