/**
 * CFS bandwidth control simulated with exact event times in whole microseconds. Pinned by
 * schemas/golden/cfs_worked_examples.json, schemas/golden/cfs_rules.json and
 * schemas/golden/cfs_random.json, which an independent program wrote; docs/model/cfs-simulator.md
 * says what it models and what it does not.
 */
package io.quotascope.domain.cfs;
