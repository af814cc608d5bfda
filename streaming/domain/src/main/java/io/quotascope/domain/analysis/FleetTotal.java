package io.quotascope.domain.analysis;

import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What tuning would free of all services, of those of one cluster, or of those of one team. The
 * interval is not the sum of the services' intervals: what their errors have in common is drawn
 * once for all of them.
 *
 * @param origin where the numbers come from
 * @param of whose services
 * @param name of the cluster or team; {@code fleet} for all
 * @param analysedAtUs instant up to which estimates count, microseconds since the Unix epoch
 * @param evidence how much it knows: grows with each newer estimate that comes in, up to 2^32 - 1
 * @param services services with an estimate
 * @param unknown of their quota classes those whose cliff is not known, which add nothing
 * @param unpriced quota classes that add cores and no money
 * @param reservedCores reserved cores of all of them
 * @param rightSizing cores that can go without a fix, of the services that have any
 * @param reclaimable further cores that the best fixes free
 * @param usdPerYear reservation value of these; absent when no service has a price
 * @param shortOf quota classes whose change takes cores beyond what is reserved
 * @param cores freed by right-sizing and fixes, needed by others, and net
 * @param usd the same in reservation value a year; absent when no service has a price
 * @param reasons in words
 */
public record FleetTotal(
        Origin origin,
        Of of,
        String name,
        long analysedAtUs,
        long evidence,
        int services,
        int unknown,
        int unpriced,
        double reservedCores,
        Estimate rightSizing,
        Estimate reclaimable,
        Optional<Estimate> usdPerYear,
        int shortOf,
        FleetBalance cores,
        Optional<FleetBalance> usd,
        List<String> reasons) {
    /** Name of the total over everything. */
    public static final String FLEET = "fleet";

    /** Whose services are added. */
    public enum Of {
        /** All of one origin. */
        FLEET,
        /** Of one cluster. */
        CLUSTER,
        /** Of one team, wherever they run. */
        TEAM;

        /** Name in records. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final long EVIDENCE_MAX = (1L << 32) - 1;

    /**
     * All totals of the parts of one origin, the fleet first. The same parts in any order give the
     * same figures.
     *
     * @param parts what is added up
     * @param known these and the parts that are over
     */
    static List<FleetTotal> all(
            Origin origin,
            long analysedAtUs,
            Collection<FleetPart> parts,
            Collection<FleetPart> known) {
        TreeMap<String, List<FleetPart>> clusters = new TreeMap<>();
        TreeMap<String, List<FleetPart>> teams = new TreeMap<>();
        List<FleetPart> ordered =
                parts.stream().sorted(Comparator.comparing(part -> part.key().topicKey())).toList();
        for (FleetPart part : ordered) {
            clusters.computeIfAbsent(part.key().cluster(), name -> new ArrayList<>()).add(part);
            part.team()
                    .ifPresent(
                            team ->
                                    teams.computeIfAbsent(team, name -> new ArrayList<>())
                                            .add(part));
        }
        List<FleetTotal> totals = new ArrayList<>();
        // A service may change its team, so what a team knows could shrink.
        long evidence = evidence(known, analysedAtUs);
        totals.add(of(origin, Of.FLEET, FLEET, analysedAtUs, evidence, ordered));
        clusters.forEach(
                (name, of) ->
                        totals.add(
                                of(
                                        origin,
                                        Of.CLUSTER,
                                        name,
                                        analysedAtUs,
                                        evidence(ofCluster(known, name), analysedAtUs),
                                        of)));
        teams.forEach(
                (name, of) -> totals.add(of(origin, Of.TEAM, name, analysedAtUs, evidence, of)));
        return totals;
    }

    private static List<FleetPart> ofCluster(Collection<FleetPart> parts, String name) {
        return parts.stream().filter(part -> part.key().cluster().equals(name)).toList();
    }

    private static long evidence(Collection<FleetPart> parts, long analysedAtUs) {
        return Math.min(
                EVIDENCE_MAX, parts.stream().mapToLong(part -> part.evidence(analysedAtUs)).sum());
    }

    private static FleetTotal of(
            Origin origin,
            Of of,
            String name,
            long analysedAtUs,
            long evidence,
            List<FleetPart> parts) {
        // Not of the name: a fleet of one cluster and that cluster are the same figures.
        long seed = origin.ordinal() * 31L + analysedAtUs;
        List<FleetPart> tuned = parts.stream().filter(part -> part.tuning().isPresent()).toList();
        List<FleetPart> priced =
                parts.stream().filter(part -> part.usdPerCoreYear().isPresent()).toList();
        Estimate reclaimable = estimate(FleetSavings.ofParts(cores(tuned), seed));
        Optional<Estimate> usd =
                priced.isEmpty()
                        ? Optional.empty()
                        : Optional.of(estimate(FleetSavings.ofParts(money(priced), seed)));
        int unknown = (int) parts.stream().filter(part -> part.rightSizing().isEmpty()).count();
        int unpriced =
                (int)
                        parts.stream()
                                .filter(part -> part.usdPerCoreYear().isEmpty() && moves(part))
                                .count();
        return new FleetTotal(
                origin,
                of,
                name,
                analysedAtUs,
                evidence,
                (int) parts.stream().map(FleetPart::service).distinct().count(),
                unknown,
                unpriced,
                parts.stream().mapToDouble(part -> part.reservedCoresTotal().orElse(0)).sum(),
                rightSizing(parts),
                reclaimable,
                usd,
                (int) parts.stream().filter(part -> part.taken().isPresent()).count(),
                FleetBalance.of(parts, reclaimable, part -> 1),
                usd.map(
                        drawn ->
                                FleetBalance.of(
                                        priced,
                                        drawn,
                                        part -> part.usdPerCoreYear().orElseThrow())),
                reasons(cores(tuned), unknown, unpriced));
    }

    /** Whether it adds cores to any of the sums. */
    private static boolean moves(FleetPart part) {
        return part.tuning().isPresent()
                || part.taken().isPresent()
                || part.rightSizing().map(Estimate::value).orElse(0.0) > 0;
    }

    private static List<FleetSavings.Part> cores(List<FleetPart> tuned) {
        return tuned.stream().map(part -> part.tuning().orElseThrow()).toList();
    }

    private static List<FleetSavings.Part> money(List<FleetPart> priced) {
        return priced.stream()
                .filter(part -> part.tuning().isPresent())
                .map(part -> worth(part.tuning().get(), part.usdPerCoreYear().orElseThrow()))
                .toList();
    }

    private static FleetSavings.Part worth(FleetSavings.Part tuning, double usd) {
        return new FleetSavings.Part(
                tuning.gain(),
                tuning.logDeviation(),
                tuning.needCores(),
                tuning.floorCores(),
                tuning.kappaMeasured(),
                usd);
    }

    private static Estimate estimate(FleetSavings drawn) {
        return new Estimate(drawn.cores(), drawn.coresLow(), drawn.coresHigh());
    }

    /** Cliffs are found by one line fitted for all, so their errors are taken to go together. */
    private static Estimate rightSizing(List<FleetPart> parts) {
        double value = 0;
        double low = 0;
        double high = 0;
        for (FleetPart part : parts) {
            value += Math.max(0, part.rightSizing().map(Estimate::value).orElse(0.0));
            low += Math.max(0, part.rightSizing().map(Estimate::low).orElse(0.0));
            high += Math.max(0, part.rightSizing().map(Estimate::high).orElse(0.0));
        }
        return new Estimate(value, low, high);
    }

    private static List<String> reasons(List<FleetSavings.Part> tuned, int unknown, int unpriced) {
        List<String> reasons = new ArrayList<>();
        long prior = tuned.stream().filter(part -> !part.kappaMeasured()).count();
        if (prior > 0) {
            reasons.add(
                    String.format(
                            Locale.ROOT,
                            "%d of the %d estimates that free cores lean on one prior of the cost of concurrency, so their errors do not cancel out",
                            prior,
                            tuned.size()));
        }
        if (unknown > 0) {
            reasons.add(unknown + " quota classes have no known cliff and add nothing");
        }
        if (unpriced > 0) {
            reasons.add(unpriced + " quota classes add cores and no money, for want of a price");
        }
        return reasons;
    }
}
