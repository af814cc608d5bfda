package io.quotascope.domain.rank;

/**
 * What a judged row says of a service before anybody has estimated a change: the stand-in for its
 * worth.
 *
 * @param verdict what to do
 * @param cores cores at stake: idle while the service is throttled, or more than its peaks need
 * @param reservedCores reserved cores of all shards; 0 when nothing is reserved
 * @param kernelAtFault whether its throttling is the kernel's and no tuning's
 */
public record TuningStake(
        TuningVerdict verdict, double cores, double reservedCores, boolean kernelAtFault) {}
