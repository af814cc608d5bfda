/**
 * The load that clients offer: when requests arrive and how much work each of them is. Everything
 * follows from a seed and nothing from how a service copes, so that two runs with other settings
 * see the same requests. Pinned by laws in OfferedLoadTest.
 */
package io.quotascope.domain.cfs.offered;
