package io.quotascope.domain.cfs.offered;

/** How much work a task is. All means are microseconds of CPU time. */
public sealed interface WorkLaw {
    /** Mean work, microseconds. */
    double meanUs();

    /** All tasks alike. */
    record Fixed(double meanUs) implements WorkLaw {}

    /** Exponential, cut at so many means and scaled back to its mean. */
    record Exponential(double meanUs, double cutMeans) implements WorkLaw {}

    /** Log-normal with this standard deviation of the logarithm. */
    record LogNormal(double meanUs, double logSd) implements WorkLaw {}

    /** Pareto with a shape above 1, cut at so many means. */
    record Pareto(double meanUs, double shape, double cutMeans) implements WorkLaw {}

    /** One task's work, at least 1 us. */
    private static long atLeastOne(double us) {
        return Math.max(1, Math.round(us));
    }

    /** Draws one task's work, microseconds. */
    static long draw(WorkLaw law, Draws draws) {
        if (law instanceof Exponential cut) {
            double mean = 1 - StrictMath.exp(-cut.cutMeans());
            return atLeastOne(cut.meanUs() * Math.min(draws.exponential(), cut.cutMeans()) / mean);
        }
        if (law instanceof LogNormal spread) {
            double sd = spread.logSd();
            return atLeastOne(
                    spread.meanUs() * StrictMath.exp(sd * draws.gaussian() - sd * sd / 2));
        }
        if (law instanceof Pareto tail) {
            return atLeastOne(
                    tail.meanUs() * Math.min(draws.pareto(tail.shape()), tail.cutMeans()));
        }
        return atLeastOne(law.meanUs());
    }
}
