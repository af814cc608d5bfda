package io.quotascope.wire;

import io.quotascope.domain.hour.HourPart;
import io.quotascope.domain.hour.HourSummary;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.throttling.ThrottlingSummary.HistogramStep;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.wire.avro.ServiceHour;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Messages of topic service-hours.v1 and rows of table service_hours. */
public final class ServiceHours {
    private static final SingleObject<ServiceHour> FORMAT =
            new SingleObject<>(ServiceHour.class, "service_hour");

    /** What verification reads of a message. */
    public static final RecordCodec<HourReading> READINGS =
            RecordCodec.of(
                    FORMAT,
                    ServiceHours::reading,
                    reading -> {
                        throw new UnsupportedOperationException(
                                "a reading is less than an hour and cannot become one");
                    });

    private ServiceHours() {}

    /** Framed bytes of a message. */
    public static byte[] framed(ServiceHour hour) {
        return FORMAT.encode(hour);
    }

    /** What verification reads of a message, or why there is nothing. */
    public static Decoded<HourReading> reading(byte[] framed) {
        return READINGS.decode(framed);
    }

    private static HourReading reading(ServiceHour avro) {
        return new HourReading(
                new ServiceKey(
                        Nullable.origin(avro.getOrigin()),
                        avro.getCluster(),
                        avro.getService(),
                        avro.getQuotaClass()),
                avro.getWindowStartUs(),
                avro.getPart(),
                avro.getVersion(),
                avro.getPeriods(),
                avro.getThrottledPeriods(),
                avro.getUsedCores(),
                avro.getReservedCores() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(avro.getReservedCores() * avro.getShards()),
                avro.getRecords(),
                avro.getExpectedRecords(),
                avro.getTeam() == null ? "" : avro.getTeam(),
                avro.getCatalogVersion());
    }

    /** Key of a message: origin/cluster/service/quota_class. */
    public static String topicKey(ServiceHour hour) {
        return new ServiceKey(
                        Nullable.origin(hour.getOrigin()),
                        hour.getCluster(),
                        hour.getService(),
                        hour.getQuotaClass())
                .topicKey();
    }

    /** The row as it travels and is stored. */
    public static ServiceHour toAvro(HourSummary hour) {
        ServiceHour avro = new ServiceHour();
        ScopeFields.set(avro, hour.scope());
        avro.setWindowUs(HourPart.HOUR_US);
        avro.setMinutes(hour.minutes());
        avro.setMinuteRows(hour.minuteRows());
        setSums(avro, hour.merged());
        avro.setThrottledPeriodRatioMax(Nullable.orNull(hour.throttledPeriodRatioMax()));
        avro.setUsedCores(hour.usedCores());
        avro.setUsedCoresMax(hour.usedCoresMax());
        setThrottling(avro, hour.throttling());
        setThreads(avro, hour.threads());
        return avro;
    }

    private static void setSums(ServiceHour avro, ServiceSums merged) {
        ThrottlingSums throttling = merged.throttling();
        avro.setRecords(merged.reporting().records());
        avro.setExpectedRecords(merged.reporting().expectedRecords());
        avro.setSamples(merged.sampling().samples());
        avro.setSampleCoverage(Nullable.orNull(merged.sampling().coverage()));
        avro.setUsageUs(merged.usage().usageUs());
        avro.setPeriods(throttling.periods());
        avro.setThrottledPeriods(throttling.throttledPeriods());
        avro.setThrottledUs(throttling.throttledUs());
        avro.setThrottledRuns(throttling.throttledRuns());
        avro.setThrottledRunPeriodsMax(throttling.throttledRunPeriodsMax());
        avro.setThrottledPeriodRatio(Nullable.orNull(throttling.throttledPeriodRatio()));
        avro.setThrottledUsPerThrottledPeriod(
                Nullable.orNull(throttling.throttledUsPerThrottledPeriod()));
        avro.setThrottledWallRatio(Nullable.orNull(throttling.throttledWallRatio()));
        avro.setKernelHostWindows(new TreeMap<>(merged.kernelHostWindows()));
    }

    private static void setThrottling(ServiceHour avro, ThrottlingSummary summary) {
        avro.setExcursionRatio(Nullable.orNull(summary.excursionRatio()));
        avro.setUsedCoresPerShard(Nullable.orNull(summary.usedCores().perShard()));
        avro.setUsedCoresP50(Nullable.orNull(summary.usedCores().p50()));
        avro.setUsedCoresP90(Nullable.orNull(summary.usedCores().p90()));
        avro.setUsedCoresP99(Nullable.orNull(summary.usedCores().p99()));
        avro.setUsedCoresP999(Nullable.orNull(summary.usedCores().p999()));
        avro.setReservedCoreUtilization(Nullable.orNull(summary.utilization()));
        avro.setReservedCoreUtilizationP50(Nullable.orNull(summary.utilizationP50()));
        avro.setReservedCoreUtilizationP99(Nullable.orNull(summary.utilizationP99()));
        avro.setShardThrottledRatioP50(Nullable.orNull(summary.shardThrottledRatioP50()));
        avro.setShardThrottledRatioP90(Nullable.orNull(summary.shardThrottledRatioP90()));
        avro.setShardThrottledRatioP99(Nullable.orNull(summary.shardThrottledRatioP99()));
        avro.setUsageHistogramCores(
                summary.histogram().stream().map(HistogramStep::coresMin).toList());
        avro.setUsageHistogramSamples(
                summary.histogram().stream().map(HistogramStep::samples).toList());
        avro.setWorstShards(summary.worstShards());
    }

    private static void setThreads(ServiceHour avro, ThreadRatio threads) {
        avro.setThreadsPerShard(Nullable.orNull(threads.threadsPerShard()));
        avro.setThreadsPerReservedCoreP99(Nullable.orNull(threads.threads().p99()));
        avro.setRunnableThreadsPerReservedCoreP50(Nullable.orNull(threads.runnable().p50()));
        avro.setRunnableThreadsPerReservedCoreP90(Nullable.orNull(threads.runnable().p90()));
        avro.setRunnableThreadsPerReservedCoreP99(Nullable.orNull(threads.runnable().p99()));
        avro.setRunnableThreadsPerReservedCoreLow(Nullable.orNull(threads.runnableLow()));
        avro.setRunnableThreadsPerReservedCoreHigh(Nullable.orNull(threads.runnableHigh()));
    }
}
