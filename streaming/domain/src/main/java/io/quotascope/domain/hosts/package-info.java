/**
 * What a host carried, what its collector cost, how its kernel behaved and who disturbed whom on
 * it: sums of any order of arrival, and judgements of them. Pinned by {@code HostSpanTest} and
 * {@code HostReadingsTest}.
 */
package io.quotascope.domain.hosts;
