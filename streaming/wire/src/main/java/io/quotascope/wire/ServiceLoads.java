package io.quotascope.wire;

import io.quotascope.domain.load.LatencyCounts;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.load.ServiceLoad.Failures;

/** ServiceLoad and its domain form. */
public final class ServiceLoads {
    private ServiceLoads() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException for another window or counts that the domain refuses
     */
    public static ServiceLoad toDomain(io.quotascope.wire.avro.ServiceLoad avro) {
        if (avro.getWindowUs() != ServiceLoad.WINDOW_US) {
            throw new IllegalArgumentException(
                    "window_us must be " + ServiceLoad.WINDOW_US + ": " + avro.getWindowUs());
        }
        return new ServiceLoad(
                Nullable.origin(avro.getOrigin()),
                avro.getCluster(),
                avro.getService(),
                avro.getWindowStartUs(),
                avro.getSource(),
                avro.getRequests(),
                new Failures(
                        Nullable.optional(avro.getErrors()),
                        Nullable.optional(avro.getTimeouts()),
                        Nullable.optional(avro.getRetries())),
                new LatencyCounts(avro.getLatencyBoundsUs(), avro.getLatencyRequests()),
                avro.getVersion());
    }

    /** The record as it travels and the row as it is stored. */
    public static io.quotascope.wire.avro.ServiceLoad toAvro(ServiceLoad load) {
        io.quotascope.wire.avro.ServiceLoad avro = new io.quotascope.wire.avro.ServiceLoad();
        avro.setOrigin(Nullable.origin(load.origin()));
        avro.setCluster(load.cluster());
        avro.setService(load.service());
        avro.setWindowStartUs(load.windowStartUs());
        avro.setWindowUs(ServiceLoad.WINDOW_US);
        avro.setSource(load.source());
        avro.setRequests(load.requests());
        avro.setErrors(Nullable.orNull(load.failures().errors()));
        avro.setTimeouts(Nullable.orNull(load.failures().timeouts()));
        avro.setRetries(Nullable.orNull(load.failures().retries()));
        avro.setLatencyBoundsUs(load.latency().boundsUs());
        avro.setLatencyRequests(load.latency().requests());
        avro.setVersion(load.version());
        return avro;
    }
}
