package io.quotascope.analyze;

import io.quotascope.domain.advice.AdviceWords;
import io.quotascope.domain.advice.Candidate;
import io.quotascope.domain.advice.Decision;
import io.quotascope.domain.advice.Freed;
import io.quotascope.domain.advice.Sentence;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.SettingText;
import io.quotascope.domain.window.ServiceKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** Puts an analysis into words and figures. */
final class ReportOf {
    private static final int P50 = 500;
    private static final int P99 = 990;
    private static final int P999 = 999;

    private final Analysis analysis;
    private final List<Report.Fact> facts = new ArrayList<>();
    private final Set<String> caveats = new LinkedHashSet<>();

    private ReportOf(Analysis analysis) {
        this.analysis = analysis;
    }

    static Report report(Analysis analysis) {
        return new ReportOf(analysis).made();
    }

    private Report made() {
        ServiceKey key = analysis.minutes().get(0).key();
        usage();
        throttling();
        facts.addAll(ServiceFacts.of(analysis));
        caveats.addAll(analysis.cliff().reasons());
        analysis.kernel()
                .ifPresent(
                        finding ->
                                fact(
                                        "kernel",
                                        "kernel",
                                        finding.verdict().name(),
                                        finding.reason()));
        List<Report.Table> tables = new ArrayList<>();
        tables.add(whatIf());
        analysis.decision().ifPresent(decision -> tables.add(changes(decision)));
        if (analysis.kernel().isPresent() && analysis.subject().bandwidthSliceUs().isEmpty()) {
            caveats.add(
                    "the kernel was judged with its default bandwidth slice of 5 ms; give"
                            + " --bandwidth-slice-us if the host has another");
        }
        return new Report(
                key.service() + " (" + key.quotaClass() + ")",
                facts,
                histogram(),
                tables,
                advice(key.service()),
                List.copyOf(caveats));
    }

    private List<Report.Advice> advice(String service) {
        return analysis.decision().stream().map(decision -> advice(decision, service)).toList();
    }

    private static Report.Advice advice(Decision decision, String service) {
        Candidate chosen = decision.chosen();
        Freed freed = freed(decision, chosen);
        List<String> reasons = new ArrayList<>(List.of(chosen.words()));
        reasons.addAll(
                Sentence.words(
                        AdviceWords.of(
                                decision,
                                chosen,
                                freed.rightSizing().value(),
                                freed.byFixes().value())));
        chosen.needs().forEach(need -> reasons.add("needs " + need));
        chosen.after().trust().reasons().forEach(reason -> reasons.add(reason.words()));
        List<SettingText> texts =
                chosen.changes() ? SettingText.of(chosen.setting(), service) : List.of();
        return new Report.Advice(reasons, texts.stream().map(ReportOf::setting).toList());
    }

    private static Freed freed(Decision decision, Candidate candidate) {
        double headroom = decision.service().provisioning().headroom();
        return Freed.of(decision, candidate, headroom, headroom);
    }

    private static Report.Setting setting(SettingText text) {
        String platform = text.platform().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return new Report.Setting(platform, text.text().strip(), text.remark());
    }

    private void usage() {
        long samples = analysis.usage().total();
        int windows = analysis.subject().windows().size();
        fact(
                "samples",
                "evidence",
                samples,
                text("%d samples in %d windows of 10 s", samples, windows));
        fact(
                "demand",
                "demand",
                analysis.demand().name(),
                switch (analysis.demand()) {
                    case RECORDED -> "the samples as they were recorded";
                    case EXEMPLAR ->
                            "the samples in their order, without what throttling did to them";
                    case SYNTHETIC -> "reconstructed from distribution and time structure";
                });
        double mean = analysis.meanUsedCores();
        fact("used_cores", "used cores", mean, text("%.2f on average", mean));
        fact(
                "used_cores_p99",
                "in 10 ms",
                analysis.usedCores(P99),
                text(
                        "median %.2f, 99 %% below %.2f, 99.9 %% below %.2f",
                        analysis.usedCores(P50),
                        analysis.usedCores(P99),
                        analysis.usedCores(P999)));
        OptionalDouble reserved = analysis.subject().reservation();
        if (reserved.isPresent()) {
            double utilization = mean / reserved.getAsDouble();
            fact(
                    "reserved_core_utilization",
                    "of reserved",
                    utilization,
                    text(
                            "%.0f %% of %.2f cores on average",
                            100 * utilization, reserved.getAsDouble()));
        }
    }

    private void throttling() {
        OptionalDouble ratio = analysis.throttling().throttledPeriodRatio();
        if (ratio.isPresent()) {
            fact(
                    "throttled_period_ratio",
                    "throttled",
                    ratio.getAsDouble(),
                    text(
                            "%.1f %% of %d periods%s",
                            100 * ratio.getAsDouble(), analysis.throttling().periods(), depth()));
        } else if (analysis.subject().quota().isPresent()) {
            fact("throttled_period_ratio", "throttled", null, "not measured");
            caveats.add(
                    "throttled periods were not recorded: usage is taken for all that was wanted,"
                            + " and what happens now is itself a replay");
        } else {
            fact("throttled_period_ratio", "throttled", null, "never: there is no quota");
        }
    }

    private String depth() {
        OptionalDouble depth = analysis.throttling().throttledUsPerThrottledPeriod();
        return depth.isPresent()
                ? text(", %.0f ms of CPU queues each", depth.getAsDouble() / 1_000)
                : "";
    }

    private Report.Table whatIf() {
        List<List<String>> rows = new ArrayList<>();
        analysis.whatIf()
                .forEach(
                        (name, outcome) -> {
                            rows.add(
                                    List.of(
                                            name,
                                            throttled(outcome),
                                            text("%.0f ms", outcome.stall().p99() / 1_000),
                                            text("%.0f ms", outcome.delay().p99() / 1_000),
                                            outcome.trust()
                                                    .verdict()
                                                    .name()
                                                    .toLowerCase(Locale.ROOT)));
                        });
        doubts();
        return new Report.Table(
                "what_if",
                "What if",
                List.of("change", "throttled periods", "stall p99", "delay p99", "trust"),
                rows);
    }

    /** Each doubt once, with the changes that it is about. */
    private void doubts() {
        Map<Trust.Reason, List<String>> about = new LinkedHashMap<>();
        analysis.whatIf()
                .forEach(
                        (name, outcome) ->
                                outcome.trust()
                                        .reasons()
                                        .forEach(
                                                reason ->
                                                        about.computeIfAbsent(
                                                                        reason,
                                                                        first -> new ArrayList<>())
                                                                .add(name)));
        about.forEach(
                (reason, names) ->
                        caveats.add(
                                names.size() == analysis.whatIf().size()
                                        ? "what if: " + reason.words()
                                        : String.join(", ", names) + ": " + reason.words()));
    }

    private static String throttled(Outcome outcome) {
        return text(
                "%.1f %% (%.1f to %.1f)",
                100 * outcome.throttledPeriodRatio().value(),
                100 * outcome.throttledPeriodRatio().low(),
                100 * outcome.throttledPeriodRatio().high());
    }

    private Report.Table changes(Decision decision) {
        caveats.add(
                text(
                        "gains assume %s cost of concurrency, kappa %.2f, and a latency objective"
                                + " of %d ms%s",
                        analysis.subject().kappa().measured() ? "a measured" : "the prior",
                        analysis.subject().kappa().value(),
                        analysis.subject().objective().sloUs() / 1_000,
                        analysis.subject().objective().stated() ? "" : " (assumed)"));
        return new Report.Table(
                "changes",
                "Changes compared, each with the least reservation that it needs",
                List.of("change", "gain", "cores freed", "throttled at peak", "target", "effort"),
                decision.candidates().stream().map(each -> row(decision, each)).toList());
    }

    private static List<String> row(Decision decision, Candidate candidate) {
        return List.of(
                candidate.words(),
                candidate
                        .fixes()
                        .map(
                                set ->
                                        text(
                                                "x%.2f (%.2f to %.2f)",
                                                set.gain(), set.gainLow(), set.gainHigh()))
                        .orElse(""),
                candidate.reached() ? text("%.2f", freed(decision, candidate).cores()) : "",
                throttled(candidate.after()),
                candidate.reached() ? "reached" : "missed",
                text("%.1f days", candidate.effortDays()));
    }

    private Report.Histogram histogram() {
        List<Report.Bucket> buckets = new ArrayList<>();
        UsageLayout layout = UsageLayout.V1;
        double total = analysis.usage().total();
        for (int bucket = 0; bucket < analysis.usage().end(); bucket++) {
            long count = analysis.usage().count(bucket);
            if (count > 0) {
                double to =
                        bucket + 1 < layout.bucketCount()
                                ? layout.lowerBound(bucket + 1)
                                : layout.value(bucket);
                buckets.add(new Report.Bucket(layout.lowerBound(bucket), to, count / total));
            }
        }
        Double quota =
                analysis.subject()
                        .quota()
                        .map(limit -> limit.quotaUs() / (double) limit.periodUs())
                        .orElse(null);
        OptionalDouble reserved = analysis.subject().reservedCores();
        return new Report.Histogram(
                buckets, quota, reserved.isPresent() ? reserved.getAsDouble() : null);
    }

    private void fact(String name, String label, Object value, String text) {
        facts.add(new Report.Fact(name, label, value, text));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
