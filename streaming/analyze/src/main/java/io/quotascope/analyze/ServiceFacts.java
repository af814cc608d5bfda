package io.quotascope.analyze;

import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.threads.ThreadAdvice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Where a shard and its service collapse, and what its threads have to do with it. */
final class ServiceFacts {
    private final Analysis analysis;
    private final List<Report.Fact> facts = new ArrayList<>();

    private ServiceFacts(Analysis analysis) {
        this.analysis = analysis;
    }

    static List<Report.Fact> of(Analysis analysis) {
        ServiceFacts made = new ServiceFacts(analysis);
        made.cliff();
        made.serviceCliff();
        made.threads();
        return made.facts;
    }

    private void cliff() {
        Multiple collapse = analysis.cliff().collapse();
        fact(
                "collapse_load_multiple",
                "cliff",
                collapse.beyond() ? null : collapse.value(),
                multiple(collapse));
        fact(
                "risk_band",
                "risk band",
                analysis.cliff().band().label(),
                text(
                        "%s; after a pulse it comes back below %.2f times this load",
                        analysis.cliff().band().label(), analysis.cliff().recovery().value()));
    }

    /** Of the shards that were recorded: a host sees only its own. */
    private void serviceCliff() {
        if (analysis.shardLoads().isEmpty()) {
            fact(
                    "service_collapse_load_multiple",
                    "service cliff",
                    null,
                    "not known: one shard was recorded; the hottest one decides");
            return;
        }
        ShardLoads loads = analysis.shardLoads().get();
        ServiceCliff cliff = loads.cliff();
        boolean ejects = analysis.subject().redistribution() == ServiceCliff.Redistribution.EJECT;
        fact(
                "hottest_shard_collapse_load_multiple",
                "hottest shard",
                cliff.hottestShard().beyond() ? null : cliff.hottestShard().value(),
                multiple(cliff.hottestShard()));
        fact(
                "service_collapse_load_multiple",
                "service cliff",
                cliff.service().beyond() ? null : cliff.service().value(),
                text(
                        "%s: %d recorded shards, clients that %s; even shards would carry x%.2f",
                        multiple(cliff.service()),
                        loads.shards(),
                        ejects ? "leave a dead shard" : "keep asking a dead shard",
                        cliff.gainFromBalancing()));
    }

    private void threads() {
        ThreadAdvice advice = analysis.threads();
        String step = advice.step().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        fact("thread_advice", "threads", advice.step().name(), step + ": " + advice.reason());
        fact(
                "thread_pools",
                "pools",
                advice.poolsMeasured() ? advice.pools() : null,
                advice.poolsMeasured()
                        ? "above the quota ran " + String.join(", ", advice.pools())
                        : "not measured (the collector records thread names when told to)");
    }

    private static String multiple(Multiple multiple) {
        return multiple.beyond()
                ? text("beyond %.0f times this load", multiple.value())
                : text(
                        "at %.2f times this load (%.2f to %.2f)",
                        multiple.value(), multiple.low(), multiple.high());
    }

    private void fact(String name, String label, Object value, String text) {
        facts.add(new Report.Fact(name, label, value, text));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
