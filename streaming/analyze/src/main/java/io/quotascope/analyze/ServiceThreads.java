package io.quotascope.analyze;

import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.UsageLayout;
import io.quotascope.domain.threads.ThreadAdvice;
import io.quotascope.domain.window.ExcursionThread;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/** What the recording says about threads per reserved core, as the pipeline would judge it. */
final class ServiceThreads {
    private static final int P99 = 990;

    private ServiceThreads() {}

    /**
     * The advice.
     *
     * @param meanUsedCores of a shard
     * @param throttledPeriodRatio absent when not measured
     */
    static ThreadAdvice advice(
            Subject subject,
            List<ServiceSums> minutes,
            double meanUsedCores,
            OptionalDouble throttledPeriodRatio) {
        OptionalDouble reserved = subject.reservation();
        BucketTally usage = new BucketTally();
        BucketTally runnable = new BucketTally();
        for (ServiceSums minute : minutes) {
            usage.add(minute.distributions().usage());
            minute.distributions().runnable().ifPresent(runnable::add);
        }
        OptionalDouble measured =
                runnable.total() == 0
                        ? OptionalDouble.empty()
                        : runnable.toCounts().quantile(P99, RunnableLayout.INSTANCE);
        OptionalLong threads =
                subject.windows().stream()
                        .map(ShardWindow::threads)
                        .filter(OptionalLong::isPresent)
                        .mapToLong(OptionalLong::getAsLong)
                        .max();
        return ThreadAdvice.of(
                new ThreadAdvice.Evidence(
                        per(measured, reserved),
                        per(usage.toCounts().quantile(P99, UsageLayout.V1), reserved),
                        per(
                                threads.isPresent()
                                        ? OptionalDouble.of(threads.getAsLong())
                                        : OptionalDouble.empty(),
                                reserved),
                        per(OptionalDouble.of(meanUsedCores), reserved),
                        throttledPeriodRatio,
                        pools(subject.windows())),
                ThreadAdvice.Thresholds.DEFAULT);
    }

    private static OptionalDouble per(OptionalDouble count, OptionalDouble reserved) {
        return count.isPresent() && reserved.isPresent()
                ? OptionalDouble.of(count.getAsDouble() / reserved.getAsDouble())
                : OptionalDouble.empty();
    }

    private static List<ExcursionThread> pools(List<ShardWindow> windows) {
        Map<String, Long> usageUs = new TreeMap<>();
        for (ShardWindow window : windows) {
            window.excursionThreads()
                    .ifPresent(
                            named ->
                                    named.forEach(
                                            thread ->
                                                    usageUs.merge(
                                                            thread.comm(),
                                                            thread.usageUs(),
                                                            Long::sum)));
        }
        return usageUs.entrySet().stream()
                .map(named -> new ExcursionThread(named.getKey(), named.getValue()))
                .toList();
    }
}
