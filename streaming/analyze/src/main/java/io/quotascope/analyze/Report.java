package io.quotascope.analyze;

import java.util.List;

/**
 * What is said about a service, apart from how it is shown.
 *
 * @param title what it is about
 * @param facts single figures, in order
 * @param histogram the distribution of used cores
 * @param tables further answers
 * @param advice what to change, at most one; empty when nothing can be advised
 * @param caveats what a reader must know before believing any of it, in words
 */
record Report(
        String title,
        List<Fact> facts,
        Histogram histogram,
        List<Table> tables,
        List<Advice> advice,
        List<String> caveats) {

    /**
     * One figure.
     *
     * @param name its name in the glossary, for programs
     * @param label the same for people
     * @param value a number, a text, or null when it is not known
     * @param text the value for people, with its unit
     */
    record Fact(String name, String label, Object value, String text) {}

    /**
     * The distribution of used cores over samples of 10 ms.
     *
     * @param buckets non-empty buckets, ascending
     * @param quotaCores quota line; null without a quota
     * @param reservedCores line of what is reserved; null when it is the quota or not known
     */
    record Histogram(List<Bucket> buckets, Double quotaCores, Double reservedCores) {}

    /**
     * One bucket.
     *
     * @param fromCores lower bound
     * @param toCores upper bound
     * @param share share of the samples, 0..1
     */
    record Bucket(double fromCores, double toCores, double share) {}

    /**
     * Rows of the same kind.
     *
     * @param name key for programs
     * @param title for people
     * @param columns names of the columns
     * @param rows cells as texts, one list a row
     */
    record Table(String name, String title, List<String> columns, List<List<String>> rows) {}

    /**
     * A change that is worth making.
     *
     * @param reasons why, in words, the most important first
     * @param settings lines to paste, by platform
     */
    record Advice(List<String> reasons, List<Setting> settings) {}

    /**
     * How to make the change on one platform.
     *
     * @param platform its name
     * @param text lines to paste
     * @param remark what it needs besides; empty when nothing
     */
    record Setting(String platform, String text, String remark) {}
}
