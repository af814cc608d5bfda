package io.quotascope.inputs.ledger;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Proposal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The newest estimates of savings of one service, and what they would promise. */
final class Estimates {
    private final String wanted;
    private final Map<String, Proposal> newest = new LinkedHashMap<>();

    /**
     * @param all the topic in its order
     * @param origin of the evidence
     */
    Estimates(Collection<Proposal> all, String origin, String cluster, String service) {
        wanted = cluster + '/' + service;
        for (Proposal each : all) {
            boolean same =
                    each.key().origin().label().equals(origin)
                            && each.key().cluster().equals(cluster)
                            && each.key().service().equals(service);
            if (same) {
                newest.merge(
                        each.key().quotaClass() + '\n' + each.fixSet(),
                        each,
                        (before, after) ->
                                after.analysedAtUs() >= before.analysedAtUs() ? after : before);
            }
        }
    }

    /**
     * What is to be proposed: of each class, or of the one asked for, the best set or the one asked
     * for.
     *
     * @throws InvalidInputException when there is none, with what there is
     */
    List<Proposal> chosen(Optional<String> quotaClass, Optional<String> fixSet)
            throws InvalidInputException {
        List<Proposal> found = new ArrayList<>();
        for (Proposal each : latest()) {
            boolean asked = fixSet.map(each.fixSet()::equals).orElse(each.best());
            boolean inClass = quotaClass.map(each.key().quotaClass()::equals).orElse(true);
            if (asked && inClass && each.settingText().isPresent()) {
                found.add(each);
            }
        }
        if (found.isEmpty()) {
            String there =
                    latest().stream()
                            .map(each -> each.key().quotaClass() + " '" + each.fixSet() + "'")
                            .collect(Collectors.joining(", "));
            throw new InvalidInputException(
                    there.isEmpty()
                            ? "there is no estimate of " + wanted + " on savings-estimates.v1"
                            : "nothing to apply is estimated so for "
                                    + wanted
                                    + "; there is "
                                    + there);
        }
        return found;
    }

    /** The promise of a proposal: its own cores, beside all that the service reserves. */
    Forecast forecast(Proposal proposal) {
        Map<String, OptionalDouble> reserved =
                latest().stream()
                        .collect(
                                Collectors.toMap(
                                        each -> each.key().quotaClass(),
                                        Proposal::reservedCores,
                                        (one, other) -> one));
        boolean known = reserved.values().stream().allMatch(OptionalDouble::isPresent);
        return proposal.forecast(
                known
                        ? OptionalDouble.of(
                                reserved.values().stream()
                                        .mapToDouble(OptionalDouble::getAsDouble)
                                        .sum())
                        : OptionalDouble.empty());
    }

    /** Of each class the sets of its newest analysis; what an older one had besides is past. */
    private List<Proposal> latest() {
        Map<String, Long> at =
                newest.values().stream()
                        .collect(
                                Collectors.toMap(
                                        each -> each.key().quotaClass(),
                                        Proposal::analysedAtUs,
                                        Math::max));
        return newest.values().stream()
                .filter(each -> each.analysedAtUs() == at.get(each.key().quotaClass()))
                .sorted(Comparator.comparing(Proposal::recommendationId))
                .toList();
    }
}
