package io.quotascope.domain.window;

import java.util.OptionalLong;

/**
 * What a host is and how it is read.
 *
 * @param cpus CPUs online
 * @param quotaMillicores sum of quota / period over its shards, 1/1000 core
 * @param unlimitedShards shards without a quota
 * @param shareMillicores sum of the shards' CPU shares, 1/1000 core
 * @param kernelRelease release as uname states it
 * @param cgroupVersion hierarchy read
 * @param tickHz timer ticks per second; absent when not detected
 * @param method sampling back end in force
 * @param samplingUncertaintyUs half width of one sample's error per busy CPU, microseconds
 */
public record HostShape(
        int cpus,
        long quotaMillicores,
        int unlimitedShards,
        OptionalLong shareMillicores,
        String kernelRelease,
        CgroupVersion cgroupVersion,
        OptionalLong tickHz,
        String method,
        long samplingUncertaintyUs) {}
