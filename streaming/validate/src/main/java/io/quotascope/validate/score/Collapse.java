package io.quotascope.validate.score;

import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.validate.estimate.Estimate;
import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimate.Input;
import io.quotascope.validate.estimate.Observation;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Collapse load and collapse probability, asked while the service is healthy. */
public final class Collapse {
    static final long SEEN_US = 60_000_000;
    static final double[] SEEN_AT = {0.3, 0.5, 0.6, 0.7, 0.85, 0.93};
    private static final double[] MORE_LOAD = {1.1, 1.25, 1.5, 2};
    private static final List<Input> INPUTS = List.of(Input.SUMMARIES, Input.EXEMPLAR);

    /** What is known beside the rows. */
    private enum Knowledge {
        STATED(", time-out known"),
        DEFAULT(", time-out default"),
        PRICED(", time-out and kappa known");

        private final String text;

        Knowledge(String text) {
            this.text = text;
        }

        Observation added(Observation rows, Subject subject) {
            Optional<Client> client =
                    this == DEFAULT ? Optional.empty() : Optional.of(subject.plan().client());
            OptionalDouble kappa =
                    this == PRICED
                            ? OptionalDouble.of(subject.cost().kappa())
                            : OptionalDouble.empty();
            return new Observation(
                    rows.input(),
                    rows.minutes(),
                    rows.records(),
                    rows.limit(),
                    rows.hostCpus(),
                    client,
                    kappa);
        }
    }

    private final Truths truths;
    private final List<Estimator> estimators;
    private final Findings findings;

    /** Scores into findings. */
    public Collapse(Truths truths, List<Estimator> estimators, Findings findings) {
        this.truths = truths;
        this.estimators = estimators;
        this.findings = findings;
    }

    /** One question: whose answer, what it saw, where the service stood, and the answers. */
    private record Answer(
            String service,
            String estimator,
            String seen,
            double share,
            double truth,
            double recovery,
            double quotasUsed,
            Optional<Estimate> multiple,
            Optional<Estimate> recoveryMultiple,
            double[] probabilities) {
        double error() {
            return Math.abs(Math.log(multiple.orElseThrow().value() / truth));
        }
    }

    /** What the best constant needs. */
    private record Place(double share, double truth, double quotasUsed) {}

    private record Asked(List<Answer> answers, List<Place> places) {}

    /** Asks everybody about every subject and writes the rows. */
    public void score(List<Subject> subjects) {
        List<Asked> asked = subjects.parallelStream().map(this::ask).toList();
        Map<String, List<Answer>> groups = new TreeMap<>();
        for (Asked one : asked) {
            for (Answer answer : one.answers()) {
                groups.computeIfAbsent(key(answer), key -> new ArrayList<>()).add(answer);
            }
        }
        for (Estimator estimator : estimators) {
            for (Input input : INPUTS) {
                for (Knowledge known : Knowledge.values()) {
                    String seen = seenText(input, known);
                    List<Answer> own = groups.get(estimator.name() + '/' + seen);
                    if (own != null) {
                        write(estimator.name(), input, known, own);
                    }
                }
            }
        }
        bestConstant(asked.stream().flatMap(one -> one.places().stream()).toList());
    }

    private Asked ask(Subject subject) {
        double collapse = truths.collapseLoad(subject);
        double recovery = truths.recoveryLoad(subject);
        List<Answer> answers = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        for (double share : SEEN_AT) {
            ServiceRun run = Truths.observed(subject, subject.load().at(share * collapse), SEEN_US);
            // A collapsed service is no longer seen from below.
            if (run.requests().collapsed()) {
                continue;
            }
            places.add(new Place(share, 1 / share, run.usedCores() / subject.quotaCores()));
            for (Input input : INPUTS) {
                Observation rows =
                        Seen.of(subject, run, input, Optional.empty(), OptionalDouble.empty());
                for (Knowledge known : Knowledge.values()) {
                    Observation seen = known.added(rows, subject);
                    boolean first = input == Input.SUMMARIES && known == Knowledge.STATED;
                    for (Estimator estimator : Names.asked(estimators, first)) {
                        answers.add(
                                answer(
                                        subject.name(),
                                        estimator,
                                        seen,
                                        seenText(input, known),
                                        share,
                                        recovery / collapse));
                    }
                }
            }
        }
        return new Asked(answers, places);
    }

    private static Answer answer(
            String service,
            Estimator estimator,
            Observation seen,
            String text,
            double share,
            double recovery) {
        Optional<Estimate> multiple = estimator.collapseLoadMultiple(seen);
        double[] probabilities = new double[MORE_LOAD.length];
        for (int more = 0; more < MORE_LOAD.length; more++) {
            probabilities[more] =
                    estimator.collapseProbability(seen, MORE_LOAD[more]).orElse(Double.NaN);
        }
        return new Answer(
                service,
                estimator.name(),
                text,
                share,
                1 / share,
                recovery / share,
                seen.usedCores() / seen.quotaCores(),
                multiple,
                estimator.recoveryLoadMultiple(seen),
                probabilities);
    }

    private void write(String estimator, Input input, Knowledge known, List<Answer> own) {
        String seen = seenText(input, known);
        List<Answer> healthy =
                own.stream()
                        .filter(
                                a ->
                                        a.multiple().isPresent()
                                                && a.share() >= 0.5
                                                && a.share() <= 0.7)
                        .toList();
        if (!healthy.isEmpty()) {
            writeError(estimator, input, known, seen, healthy);
        }
        writeProbabilities(estimator, input, known, seen, own);
        writeRecovery(estimator, seen, own);
    }

    private void writeError(
            String estimator, Input input, Knowledge known, String seen, List<Answer> healthy) {
        List<Double> errors = healthy.stream().map(Answer::error).toList();
        double median = Statistics.median(errors);
        double high = Statistics.quantile(errors, 0.9);
        String text = String.format(Locale.ROOT, "%.1f %%, %.0f %%", 100 * median, 100 * high);
        String quantity = "collapse load seen from 50-70 % of it: median, P90 error";
        boolean judged =
                input == Input.SUMMARIES
                        && known != Knowledge.DEFAULT
                        && !Names.isBaseline(estimator);
        findings.add(
                judged
                        ? Row.judged(
                                quantity,
                                seen,
                                estimator,
                                text,
                                healthy.size(),
                                "<= 12 %, <= 50 %",
                                median <= 0.12 && high <= 0.5)
                        : Row.plain(quantity, seen, estimator, text, healthy.size()));
        healthy.forEach(
                a ->
                        findings.add(
                                new Point(
                                        "collapse load, " + seen,
                                        estimator,
                                        a.truth(),
                                        a.multiple().orElseThrow().value())));
        if (Names.isBaseline(estimator)) {
            return;
        }
        long covered =
                healthy.stream()
                        .filter(
                                a ->
                                        a.multiple().orElseThrow().low() <= a.truth()
                                                && a.truth() <= a.multiple().orElseThrow().high())
                        .count();
        double coverage = covered / (double) healthy.size();
        // As shares of the quota and in logarithms: where services stand was chosen here, so a
        // constant interval of multiples would know what nobody knows.
        double score = Statistics.mean(healthy.stream().map(Collapse::intervalScore).toList());
        double constant =
                Statistics.bestConstantIntervalScore(
                        healthy.stream().map(a -> Math.log(a.truth() * a.quotasUsed())).toList());
        findings.add(
                Row.judged(
                        "collapse load, 90 % interval: coverage; score against best constant",
                        seen,
                        estimator,
                        String.format(
                                Locale.ROOT,
                                "%.0f %%; %.2f against %.2f",
                                100 * coverage,
                                score,
                                constant),
                        healthy.size(),
                        "85-95 %, better",
                        coverage >= 0.85 && coverage <= 0.95 && score < constant));
    }

    private static double intervalScore(Answer answer) {
        Estimate multiple = answer.multiple().orElseThrow();
        return Statistics.intervalScore(
                Math.log(multiple.low() * answer.quotasUsed()),
                Math.log(multiple.high() * answer.quotasUsed()),
                Math.log(answer.truth() * answer.quotasUsed()));
    }

    private void writeProbabilities(
            String estimator, Input input, Knowledge known, String seen, List<Answer> own) {
        List<double[]> all = new ArrayList<>();
        for (int more = 0; more < MORE_LOAD.length; more++) {
            double[] scores = new double[own.size()];
            boolean[] labels = new boolean[own.size()];
            for (int one = 0; one < scores.length; one++) {
                Answer answer = own.get(one);
                labels[one] = MORE_LOAD[more] * answer.share() >= 1;
                scores[one] =
                        Double.isNaN(answer.probabilities()[more])
                                ? answer.multiple().map(m -> 1 / m.value()).orElse(Double.NaN)
                                : answer.probabilities()[more];
                all.add(new double[] {answer.probabilities()[more], labels[one] ? 1 : 0});
            }
            if (scores.length == 0 || Double.isNaN(scores[0])) {
                return;
            }
            writeAuc(
                    estimator,
                    input,
                    known,
                    seen,
                    MORE_LOAD[more],
                    Statistics.auc(scores, labels),
                    Statistics.aucError(scores, labels, own.stream().map(Answer::service).toList()),
                    own.size());
        }
        if (all.stream().noneMatch(pair -> Double.isNaN(pair[0])) && !Names.isBaseline(estimator)) {
            double brier =
                    Statistics.mean(all.stream().map(p -> (p[0] - p[1]) * (p[0] - p[1])).toList());
            findings.add(
                    Row.judged(
                            "collapse probability: Brier score",
                            seen,
                            estimator,
                            String.format(Locale.ROOT, "%.3f", brier),
                            all.size(),
                            "<= 0.09",
                            brier <= 0.09));
        }
    }

    private void writeAuc(
            String estimator,
            Input input,
            Knowledge known,
            String seen,
            double more,
            double auc,
            double error,
            int answered) {
        String quantity =
                String.format(Locale.ROOT, "AUC for collapse at +%.0f %%", 100 * (more - 1));
        double line =
                more == 1.1 ? (input == Input.SUMMARIES ? 0.86 : 0.90) : more == 1.5 ? 0.93 : 0;
        String text = String.format(Locale.ROOT, "%.3f (+- %.3f)", auc, error);
        findings.add(
                line > 0 && known != Knowledge.DEFAULT && !Names.isBaseline(estimator)
                        ? Row.judged(
                                quantity,
                                seen,
                                estimator,
                                text,
                                answered,
                                ">= " + line,
                                auc >= line)
                        : Row.plain(quantity, seen, estimator, text, answered));
    }

    private void writeRecovery(String estimator, String seen, List<Answer> own) {
        List<Double> errors =
                own.stream()
                        .filter(
                                a ->
                                        a.recoveryMultiple().isPresent()
                                                && a.share() >= 0.5
                                                && a.share() <= 0.7)
                        .map(
                                a ->
                                        Math.abs(
                                                Math.log(
                                                        a.recoveryMultiple().orElseThrow().value()
                                                                / a.recovery())))
                        .toList();
        if (!errors.isEmpty()) {
            findings.add(
                    Row.plain(
                            "recovery load seen from 50-70 % of the collapse load: median, P90 error",
                            seen,
                            estimator,
                            String.format(
                                    Locale.ROOT,
                                    "%.0f %%, %.0f %%",
                                    100 * Statistics.median(errors),
                                    100 * Statistics.quantile(errors, 0.9)),
                            errors.size()));
        }
    }

    /** One share of the quota at which everything collapses, the median of all. */
    private void bestConstant(List<Place> places) {
        double share =
                Statistics.median(places.stream().map(p -> p.truth() * p.quotasUsed()).toList());
        List<Double> errors =
                places.stream()
                        .filter(p -> p.share() >= 0.5 && p.share() <= 0.7)
                        .map(p -> Math.abs(Math.log(share / p.quotasUsed() / p.truth())))
                        .toList();
        findings.add(
                Row.plain(
                        "collapse load seen from 50-70 % of it: median, P90 error",
                        "mean use",
                        String.format(Locale.ROOT, "best constant (%.0f %% of quota)", 100 * share),
                        String.format(
                                Locale.ROOT,
                                "%.0f %%, %.0f %%",
                                100 * Statistics.median(errors),
                                100 * Statistics.quantile(errors, 0.9)),
                        errors.size()));
    }

    private static String key(Answer answer) {
        return answer.estimator() + '/' + answer.seen();
    }

    private static String seenText(Input input, Knowledge known) {
        return input.label() + known.text;
    }
}
