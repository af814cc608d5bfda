package io.quotascope.validate.alerts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The section of the page on alerts that the comparison writes. */
final class Comparison {
    private static final String HEADING = "## Compared with the rules of others\n";

    private Comparison() {}

    /**
     * A page with its last section replaced, or with one section more.
     *
     * @throws IllegalArgumentException when another section follows: it would be lost
     */
    static String replaced(String page, String section) {
        int at = page.indexOf(HEADING);
        if (at < 0) {
            return page.stripTrailing() + "\n\n" + section;
        }
        if (page.indexOf("\n## ", at + 1) >= 0) {
            throw new IllegalArgumentException("the comparison must be the page's last section");
        }
        return page.substring(0, at) + section;
    }

    /** Method and table. */
    static String section(int services, List<CompareAlerts.Watched> watched) {
        Map<String, Tally> tallies = new LinkedHashMap<>();
        long quietMinutes = 0;
        int collapsed = 0;
        int far = 0;
        for (CompareAlerts.Watched one : watched) {
            one.rules()
                    .forEach(
                            (rule, firing) ->
                                    tallies.computeIfAbsent(rule, name -> new Tally())
                                            .add(one.course(), firing));
            boolean fell = one.course().collapseSecond().isPresent();
            collapsed += fell ? 1 : 0;
            far += !fell && one.course().isFar() ? 1 : 0;
            quietMinutes += fell ? 0 : one.course().loadShares().size();
        }
        StringBuilder text = new StringBuilder(HEADING);
        text.append(
                String.format(
                        Locale.ROOT,
                        METHOD,
                        services,
                        watched.size(),
                        collapsed,
                        watched.size() - collapsed,
                        quietMinutes / 60.0,
                        far));
        tallies.forEach((rule, tally) -> text.append(row(rule, tally)));
        return text.append(LIMITS).toString();
    }

    private static String row(String rule, Tally tally) {
        return String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |%n",
                rule,
                tally.alerts(),
                tally.falseFar(),
                tally.falseNear(),
                tally.accused(),
                tally.inTime(),
                tally.early(),
                tally.late(),
                tally.missed(),
                tally.again(),
                tally.most());
    }

    private static final String METHOD =
            """
            Written by `make compare-alerts SERVICES=%d`; seeded, so that the same command gives the same table.
            The first services of at most 3 cores in the development population of `make validate` (seed 20261121) are simulated, a subset that is quick to simulate: each for 25 minutes at 30, 50, 70 and 85 %% of the load that collapses it, and on a ramp of 40 minutes from 25 to 120 %% that is then held for 20. That is %d runs: %d collapse (20 s in which more than 30 %% of first attempts fail) and %d do not, %.0f hours together; %d of these never had more than half of the load that collapses them ("far"), the others had more ("near").
            Ours is what the jobs do with their default options: cadence, cliff, `AlertBook`; time-out and retries are in the catalog. "What pages" are alerts that are or become critical; "a page at a headroom" is what `cliff_near` would page with another threshold and without a band. CPUThrottlingHigh is the rule of the kubernetes-mixin: more than 25 %% of the periods of 5 minutes, for 15 minutes. Every rule is evaluated once a minute.
            An alert is false when its service does not collapse in its run. A collapse is warned of in time when the first alert fires a minute before it or earlier; "early" are those of them whose first alert fired below 60 %% of the load. "Again" are alerts beyond the first of their run.

            | rule | alerts | false, far | false, near | runs falsely accused | in time | of them early | late | missed | again | most in a run |
            |---|---|---|---|---|---|---|---|---|---|---|
            """;

    private static final String LIMITS =
            """

            What this cannot show: the minutes are simulated, not a week of a site, and how many services stand near their cliff was chosen here; a fleet has fewer, so the columns per rule compare with each other and not with a pager. "False, near" is for the notice `cliff_near` partly what it is for: at 85 % of the load the cliff is nearer than 1.25 times. `vulnerable` says that a pulse would collapse the service; no run has a pulse, so its notices count as false wherever the load alone does not collapse it. Every run starts anew and is short: counts are no rates of a week. Loads are steady or one ramp: no day and night, releases, noisy neighbours, or sums over many shards. The constants of the cliff were fitted on this kind of service; the peers' rules were fitted on nothing. Whether a person could have acted on a warning is not judged.
            """;
}
