/**
 * Which hosts' kernels throttle wrongly: vendor kernel versions compared within their own line,
 * rules with their evidence, and the behaviour that gives a fault away without knowing the version.
 * Pinned by schemas/golden/kernel_releases.json and, against the simulator, by StrandedQuotaTest.
 */
package io.quotascope.domain.kernel;
