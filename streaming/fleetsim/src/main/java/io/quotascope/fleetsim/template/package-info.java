/**
 * Minutes of shards, simulated once and used for every shard and minute of the same kind, setting,
 * kernel and load.
 */
package io.quotascope.fleetsim.template;
