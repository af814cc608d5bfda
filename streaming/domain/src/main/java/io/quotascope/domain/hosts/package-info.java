/**
 * What a host carried, what its collector cost, how its kernel behaved and who disturbed whom on
 * it: sums of any order of arrival, and judgements of them. Pinned by {@code HostTallyTest}, {@code
 * HostMinuteTest} and {@code HostShardsTest}.
 */
package io.quotascope.domain.hosts;
