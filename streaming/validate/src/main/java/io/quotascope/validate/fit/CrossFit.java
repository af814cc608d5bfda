package io.quotascope.validate.fit;

import io.quotascope.domain.risk.CliffCalibration;
import io.quotascope.domain.risk.DeathSpiralRisk;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.RiskPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One line, fitted ten times without a tenth of the services and once with all of them. What it
 * prints of errors is of services that did not take part.
 */
final class CrossFit {
    static final int GROUPS = 10;

    private static final double[] MORE_LOAD = {1.1, 1.25, 1.5, 2};
    private static final double NEARNESS_STEP = 0.01;

    private final String name;
    private final List<Member> all;
    private final Terms terms;
    private final ToDoubleFunction<SeenCliff> target;
    private final ToDoubleFunction<SeenCliff> spread;
    private final double[][] without = new double[GROUPS][];

    /** An observation and the group of its service. */
    record Member(int group, SeenCliff seen) {}

    /** Values of the terms of a line. */
    interface Terms {
        double[] of(SeenCliff seen);
    }

    /** A line whose error is the same for all. */
    CrossFit(String name, List<Member> all, Terms terms, ToDoubleFunction<SeenCliff> target) {
        this(name, all, terms, target, seen -> 0);
    }

    /**
     * A line.
     *
     * @param spread what the interval of an observation has beside the error of the line
     */
    CrossFit(
            String name,
            List<Member> all,
            Terms terms,
            ToDoubleFunction<SeenCliff> target,
            ToDoubleFunction<SeenCliff> spread) {
        this.name = name;
        this.all = all;
        this.terms = terms;
        this.target = target;
        this.spread = spread;
        for (int group = 0; group < GROUPS; group++) {
            without[group] = fit(group);
        }
    }

    /** Prints constants and errors; returns the half width that covers 90 % with the spread. */
    double print() {
        List<Member> middle = all.stream().filter(m -> m.seen().isJudgedByError()).toList();
        double[] errors = sorted(middle, this::error);
        double[] reaches =
                sorted(
                        middle,
                        m -> {
                            double own = spread.applyAsDouble(m.seen());
                            return Math.sqrt(Math.max(0, error(m) * error(m) - own * own));
                        });
        double reach = reaches[(int) (0.9 * reaches.length)];
        System.out.printf(
                Locale.ROOT,
                "%s%n    %s   seen from 50-70 %%, out of sample: median %.3f, 90 %% %.3f, reach %.3f%n",
                name,
                Arrays.stream(fit(-1))
                        .mapToObj(c -> String.format(Locale.ROOT, "%.3f", c))
                        .collect(Collectors.joining(", ")),
                errors[errors.length / 2],
                errors[(int) (0.9 * errors.length)],
                reach);
        return reach;
    }

    private static double[] sorted(List<Member> members, ToDoubleFunction<Member> value) {
        return members.stream().mapToDouble(value).sorted().toArray();
    }

    private double error(Member member) {
        return Math.abs(predicted(member) - target.applyAsDouble(member.seen()));
    }

    /** The same, and the nearness with which probabilities are best. */
    void printCollapse() {
        double reach = print();
        double nearness = 0;
        double brier = Double.MAX_VALUE;
        for (int step = -10; step <= 20; step++) {
            double candidate = brier(step * NEARNESS_STEP, reach);
            if (candidate < brier) {
                brier = candidate;
                nearness = step * NEARNESS_STEP;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "    out of sample: Brier %.3f, %.3f at its best nearness %.2f%n",
                brier(0, reach),
                brier,
                nearness);
    }

    private double brier(double nearness, double lineReach) {
        RiskPolicy standard = RiskPolicy.DEFAULT;
        RiskPolicy policy = standard.with(CliffCalibration.FITTED.with(nearness));
        double sum = 0;
        for (Member member : all) {
            double multiple = Math.exp(predicted(member) - member.seen().used());
            double reach = Math.hypot(lineReach, spread.applyAsDouble(member.seen()));
            Multiple collapse =
                    new Multiple(
                            multiple,
                            multiple * Math.exp(-reach),
                            multiple * Math.exp(reach),
                            false);
            for (double more : MORE_LOAD) {
                double probability =
                        DeathSpiralRisk.of(
                                        collapse,
                                        new DeathSpiralRisk.LoadForecast(more, 0, 0),
                                        policy)
                                .probability()
                                .orElseThrow();
                double truth = more * member.seen().share() >= 1 ? 1 : 0;
                sum += (probability - truth) * (probability - truth);
            }
        }
        return sum / all.size() / MORE_LOAD.length;
    }

    private double predicted(Member member) {
        return LeastSquares.predict(without[member.group()], terms.of(member.seen()));
    }

    /**
     * An observation counts as much as it was near the cliff: there an error matters. Those from
     * half to seven tenths of it, where services live and errors are judged, count twice.
     */
    private double[] fit(int leftOut) {
        List<Member> taking = all.stream().filter(m -> m.group() != leftOut).toList();
        return LeastSquares.fit(
                taking.stream().map(m -> weighted(m, terms.of(m.seen()))).toList(),
                taking.stream().map(m -> weighted(m, target.applyAsDouble(m.seen()))[0]).toList());
    }

    private static double[] weighted(Member member, double... values) {
        double weight = member.seen().share() * (member.seen().isJudgedByError() ? 1 : 0.5);
        return Arrays.stream(values).map(v -> v * Math.sqrt(weight)).toArray();
    }
}
