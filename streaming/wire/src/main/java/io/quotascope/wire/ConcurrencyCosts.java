package io.quotascope.wire;

import io.quotascope.domain.load.ConcurrencyCost;

/** ConcurrencyCost and its domain form. */
final class ConcurrencyCosts {
    private ConcurrencyCosts() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException for values that the domain refuses
     */
    static ConcurrencyCost toDomain(io.quotascope.wire.avro.ConcurrencyCost avro) {
        return new ConcurrencyCost(
                Nullable.origin(avro.getOrigin()),
                avro.getCluster(),
                avro.getService(),
                avro.getMeasuredAtUs(),
                avro.getMinutes(),
                avro.getKappa(),
                avro.getKappaLow(),
                avro.getKappaHigh(),
                avro.getVersion());
    }

    /** The record as it travels. */
    static io.quotascope.wire.avro.ConcurrencyCost toAvro(ConcurrencyCost cost) {
        io.quotascope.wire.avro.ConcurrencyCost avro =
                new io.quotascope.wire.avro.ConcurrencyCost();
        avro.setOrigin(Nullable.origin(cost.origin()));
        avro.setCluster(cost.cluster());
        avro.setService(cost.service());
        avro.setMeasuredAtUs(cost.measuredAtUs());
        avro.setMinutes(cost.minutes());
        avro.setKappa(cost.kappa());
        avro.setKappaLow(cost.low());
        avro.setKappaHigh(cost.high());
        avro.setVersion(cost.version());
        return avro;
    }
}
