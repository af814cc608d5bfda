package io.quotascope.validate.score;

/**
 * One line of the table.
 *
 * @param quantity what was judged
 * @param oracle who knew the truth: hand, simulator or kernel
 * @param input what the estimator saw
 * @param estimator who answered
 * @param result figures in words
 * @param must the line it has to meet; empty for baselines
 * @param verdict met, missed, or empty where there is no line
 * @param answered how many questions it answered
 */
public record Row(
        String quantity,
        String oracle,
        String input,
        String estimator,
        String result,
        String must,
        String verdict,
        int answered) {
    /** A row without a line to meet. */
    static Row plain(String quantity, String input, String estimator, String result, int answered) {
        return new Row(quantity, "simulator", input, estimator, result, "", "", answered);
    }

    /** A row that meets its line or not. */
    static Row judged(
            String quantity,
            String input,
            String estimator,
            String result,
            int answered,
            String must,
            boolean met) {
        return new Row(
                quantity,
                "simulator",
                input,
                estimator,
                result,
                must,
                met ? "met" : "missed",
                answered);
    }
}
