/**
 * What a service would have seen under another setting: its demand is reconstructed from what was
 * measured and replayed as a fluid through bandwidth control. Pinned by
 * schemas/golden/fluid_replay.json, which an independent program wrote; docs/model/what-if.md says
 * what is computed and where it cannot be trusted.
 */
package io.quotascope.domain.whatif;
