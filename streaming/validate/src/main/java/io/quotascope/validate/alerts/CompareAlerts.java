package io.quotascope.validate.alerts;

import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.score.Ramp;
import io.quotascope.validate.truth.Seen;
import io.quotascope.validate.truth.TruthCache;
import io.quotascope.validate.truth.Truths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Runs every rule over simulated services and writes the table: {@code make compare-alerts}. */
public final class CompareAlerts {
    private static final double[] STEADY_AT = {0.3, 0.5, 0.7, 0.85};
    private static final int STEADY_MINUTES = 25;
    private static final int RAMP_MINUTES = 40;
    private static final int HELD_MINUTES = 20;
    private static final double RAMP_FROM = 0.25;
    private static final double RAMP_TO = 1.2;
    private static final long MINUTE_US = 60_000_000;

    /** Small services are simulated faster, because they have fewer requests. */
    private static final double QUOTA_CORES_MAX = 3;

    private static final int POPULATION = 160;

    /** Thresholds of a page to choose from. */
    private static final double[] PAGED_AT = {0.9, 1, 1.05, 1.1, 1.15, 1.2, 1.25};

    private final Truths truths;

    private CompareAlerts(Truths truths) {
        this.truths = truths;
    }

    /** One service under one load: what happened, and what each rule did, by name. */
    record Watched(Course course, Map<String, Firing> rules) {}

    /**
     * Runs.
     *
     * @param arguments number of services and the page whose last section the table is
     */
    public static void main(String[] arguments) throws IOException {
        int services = Integer.parseInt(arguments[0]);
        Path page = Path.of(arguments[1]);
        Truths truths =
                new Truths(new TruthCache(Path.of("streaming/validate/target/truth/development")));
        CompareAlerts compare = new CompareAlerts(truths);
        List<Watched> watched = small(services).parallelStream().flatMap(compare::watch).toList();
        String section = Comparison.section(services, watched);
        System.out.print(section);
        Files.writeString(page, Comparison.replaced(Files.readString(page), section));
    }

    private static List<Subject> small(int services) {
        return Development.of(1, POPULATION, 1).collapsible().stream()
                .filter(subject -> subject.quotaCores() <= QUOTA_CORES_MAX)
                .limit(services)
                .toList();
    }

    private Stream<Watched> watch(Subject subject) {
        double collapse = truths.collapseLoad(subject);
        List<Watched> watched = new ArrayList<>();
        for (double share : STEADY_AT) {
            watched.add(
                    watch(subject, LoadCurve.constant(share * collapse), STEADY_MINUTES, collapse));
        }
        LoadCurve ramp =
                new LoadCurve(
                        RAMP_FROM * collapse, RAMP_TO * collapse, 0, RAMP_MINUTES * MINUTE_US);
        watched.add(watch(subject, ramp, RAMP_MINUTES + HELD_MINUTES, collapse));
        System.err.println("compare-alerts: " + subject.name() + " is done");
        return watched.stream();
    }

    private static Watched watch(Subject subject, LoadCurve curve, int minutes, double collapse) {
        ServiceRun run = Truths.observed(subject, subject.load().at(curve), minutes * MINUTE_US);
        int second = Ramp.collapseSecond(run.requests());
        double against = second < 0 ? collapse : Math.min(collapse, curve.at(second * 1_000_000L));
        List<Double> shares =
                IntStream.rangeClosed(1, minutes)
                        .mapToObj(minute -> curve.at(minute * MINUTE_US) / against)
                        .toList();
        return new Watched(
                new Course(second < 0 ? OptionalInt.empty() : OptionalInt.of(second), shares),
                judged(subject, ObservedWindows.sums(Seen.records(subject, run, true))));
    }

    private static Map<String, Firing> judged(Subject subject, List<ServiceSums> minutes) {
        OwnRules own = new OwnRules(subject.name(), subject.plan().client(), subject.hostCpus());
        minutes.forEach(own::judge);
        Map<String, Firing> rules = new LinkedHashMap<>();
        rules.put(
                "Quotascope, what pages",
                Firing.any(OwnRules.KINDS.stream().map(own::pages).toList()));
        rules.put(
                "Quotascope, all kinds, notices too",
                Firing.any(OwnRules.KINDS.stream().map(own::firing).toList()));
        OwnRules.KINDS.forEach(kind -> rules.put("`" + kind.label() + "` alone", own.firing(kind)));
        for (double headroom : PAGED_AT) {
            rules.put(
                    String.format(Locale.ROOT, "a page at a headroom of %.2f", headroom),
                    own.pagesAt(headroom));
        }
        rules.put("`alarm` of `collapse_risks`, pages nobody", own.alarm());
        List<PeerRules.Minute> peers =
                minutes.stream()
                        .map(minute -> PeerRules.Minute.of(minute, subject.quotaCores()))
                        .toList();
        rules.put("CPUThrottlingHigh", PeerRules.throttlingHigh(peers));
        rules.put("throttled periods > 1 %", PeerRules.anyThrottling(peers));
        rules.put("average utilization > 80 %", PeerRules.utilization(peers));
        return rules;
    }
}
