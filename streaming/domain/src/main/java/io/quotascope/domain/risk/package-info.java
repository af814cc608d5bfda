/**
 * How near a service is to the throttling death spiral: the multiple of today's load at which a
 * shard, and then the whole service, collapses, the load at which it comes back, and the
 * probability that the coming load gets there. Pinned by CliffSearchTest, ServiceCliffTest and the
 * rows of docs/model/validation.md.
 */
package io.quotascope.domain.risk;
