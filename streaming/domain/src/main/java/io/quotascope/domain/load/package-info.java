/**
 * Requests of services, where a system that sees requests tells them: without them nothing is
 * claimed of latency or of the cost of a request. Pinned by {@code ServiceLoadTest}.
 */
package io.quotascope.domain.load;
