package io.quotascope.analyze;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a file of slices does not say about the service it is about.
 *
 * @param name name for the report
 * @param quota quota in force; absent when unlimited
 * @param sampleUs nominal length of a slice, microseconds
 * @param threads threads of the service; absent when not known
 * @param hostCpus CPUs that may run it
 */
record ForeignService(
        String name,
        Optional<CpuLimit.Quota> quota,
        long sampleUs,
        OptionalLong threads,
        int hostCpus) {}
