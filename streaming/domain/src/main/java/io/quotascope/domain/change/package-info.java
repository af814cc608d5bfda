/**
 * Changes of a service that show in its windows: quota, period, kernel and number of shards, each
 * told once when it has settled. Pinned by {@code ChangeWatchTest}.
 */
package io.quotascope.domain.change;
