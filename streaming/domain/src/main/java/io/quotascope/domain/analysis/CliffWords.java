package io.quotascope.domain.analysis;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.risk.RiskPolicy;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a reader must know of a cliff, in words. */
final class CliffWords {
    /** A gain worth speaking of. */
    private static final double BALANCING_WORTH = 1.1;

    private CliffWords() {}

    static List<String> of(AnalysedCliff known, JudgementScope scope, RiskPolicy policy) {
        List<String> words = new ArrayList<>();
        if (known.cliff().gainFromBalancing() >= BALANCING_WORTH) {
            words.add(
                    text(
                            "with the same load on every shard the service would bear %.2f times as much; %s",
                            known.cliff().gainFromBalancing(),
                            known.clients().redistribution() == Redistribution.EJECT
                                    ? "the load of a dead shard is taken to go to the others"
                                    : "the load of a dead shard is taken to stay there"));
        }
        if (known.clients().assumed()) {
            words.add(
                    text(
                            "timeout and retries are assumed (%d ms, %d); state them in the catalog for a surer estimate",
                            known.clients().policy().timeoutUs() / 1_000,
                            known.clients().policy().retries()));
        }
        if (scope.quotaCores().isEmpty()) {
            words.add("there is no quota, so throttling cannot collapse it; only its CPUs can");
        }
        if (known.cliff().service().beyond()) {
            words.add(text("no collapse up to %.0f times the analysed load", policy.multipleMax()));
        }
        return words;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
