package io.quotascope.domain.change;

import io.quotascope.domain.window.ServiceSums;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a service looked like in one minute, over all of its classes.
 *
 * @param shardsByClass shards by quota class
 * @param hostWindowsByKernel windows of its hosts by kernel release
 */
public record ServiceShape(
        SortedMap<String, Integer> shardsByClass, SortedMap<String, Long> hostWindowsByKernel) {
    /** No class has arrived. */
    public static final ServiceShape EMPTY = new ServiceShape(new TreeMap<>(), new TreeMap<>());

    /** With one class more; the same class told again replaces itself. */
    public ServiceShape with(ServiceSums sums) {
        SortedMap<String, Integer> shards = new TreeMap<>(shardsByClass);
        if (shards.put(sums.key().quotaClass(), sums.reporting().shards()) != null) {
            return this;
        }
        SortedMap<String, Long> kernels = new TreeMap<>(hostWindowsByKernel);
        for (Map.Entry<String, Long> kernel : sums.kernelHostWindows().entrySet()) {
            kernels.merge(kernel.getKey(), kernel.getValue(), Long::sum);
        }
        return new ServiceShape(shards, kernels);
    }

    /** Shards of all classes. */
    public int shards() {
        return shardsByClass.values().stream().mapToInt(Integer::intValue).sum();
    }
}
