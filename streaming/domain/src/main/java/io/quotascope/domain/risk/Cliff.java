package io.quotascope.domain.risk;

import java.util.List;

/**
 * How far one shard is from collapse.
 *
 * @param collapse multiple of today's load at which it collapses
 * @param recovery multiple below which it comes back after the standard pulse
 * @param band where today's load lies
 * @param clientsAssumed true when timeout and retries are assumed
 * @param reasons why the estimate should be trusted less, in words; empty when nothing speaks
 *     against it
 */
public record Cliff(
        Multiple collapse,
        Multiple recovery,
        RiskBand band,
        boolean clientsAssumed,
        List<String> reasons) {}
