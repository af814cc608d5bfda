/**
 * Services of requests on the CFS simulator: who asks for work and when, thread pools, time-outs
 * and retries, stop-the-world collections, background threads. Pinned by
 * schemas/golden/cfs_requests.json, which an independent program wrote; docs/model/cfs-simulator.md
 * says what is modelled and what is not.
 */
package io.quotascope.domain.cfs.service;
