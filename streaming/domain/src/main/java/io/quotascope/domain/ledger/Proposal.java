package io.quotascope.domain.ledger;

import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.window.ServiceKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What an estimate of savings would promise if it were advised.
 *
 * @param key service and class
 * @param analysedAtUs end of the analysed minute, microseconds since the Unix epoch
 * @param fixSet name of the set of fixes, as savings_estimates has it
 * @param best whether it is the set to make
 * @param settingText the exact setting; absent when there is nothing to apply
 * @param reservedCores reserved cores of the class, all shards; absent when nothing is reserved
 * @param freedCores cores that can go when the set is applied, those included that could go without
 *     it; absent when not known
 * @param money the same in US dollars a year; absent without a price
 */
public record Proposal(
        ServiceKey key,
        long analysedAtUs,
        String fixSet,
        boolean best,
        Optional<String> settingText,
        OptionalDouble reservedCores,
        Optional<Predicted> freedCores,
        Optional<Money> money) {

    /**
     * Identity of the same advice at any time: a newer estimate renews what nobody has answered.
     */
    public String recommendationId() {
        return (key.quotaClass() + '-' + fixSet).replaceAll("[^A-Za-z0-9.-]+", "-");
    }

    /** What is advised; absent when there is nothing to apply. */
    public Optional<Advice> advice() {
        return settingText.map(
                text ->
                        new Advice(
                                key.origin(),
                                key.cluster(),
                                key.service(),
                                Optional.of(key.quotaClass()),
                                recommendationId(),
                                List.of(fixSet.split(" \\+ ")),
                                text));
    }

    /**
     * What is promised.
     *
     * @param serviceReservedCores reserved cores of the service, all quota classes
     */
    public Forecast forecast(OptionalDouble serviceReservedCores) {
        return new Forecast(serviceReservedCores, freedCores, money, List.of());
    }
}
