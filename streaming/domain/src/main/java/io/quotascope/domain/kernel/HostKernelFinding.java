package io.quotascope.domain.kernel;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one rule says of one host in one hour: the version's verdict, the behaviour seen and both
 * together.
 *
 * @param kernelRelease the release as stated
 * @param rule the version's verdict
 * @param verdict what version and behaviour mean together
 * @param behaviour what the host's shards showed; absent for a rule that does not show in behaviour
 * @param reasons why, in words
 */
public record HostKernelFinding(
        String kernelRelease,
        RuleVerdict rule,
        KernelFinding.Verdict verdict,
        Optional<StrandedShards> behaviour,
        List<String> reasons) {

    /** One finding for each rule, in the order of {@link KernelRule}. */
    public static List<HostKernelFinding> of(String kernelRelease, StrandedShards seen) {
        KernelFinding joined = KernelFinding.of(kernelRelease, seen.shards());
        return joined.rules().stream()
                .map(
                        rule ->
                                showsInBehaviour(rule.rule())
                                        ? behaved(kernelRelease, rule, seen)
                                        : byVersion(kernelRelease, rule))
                .toList();
    }

    /** Whether a rule loses quota, so that {@link StrandedQuota} can see it. */
    public static boolean showsInBehaviour(KernelRule rule) {
        return rule == KernelRule.SLICE_EXPIRY || rule == KernelRule.EXPIRY_SKEW;
    }

    /** Cores lost for certain; 0 for a rule that does not show in behaviour. */
    public double strandedCoresLow() {
        return behaviour.map(StrandedShards::coresLow).orElse(0.0);
    }

    /** Whether more was handed out than used; absent when no shard was throttled. */
    public Optional<Boolean> signature() {
        return behaviour.filter(seen -> seen.throttled() > 0).map(seen -> seen.stranded() > 0);
    }

    /** A quantity of the behaviour; absent for a rule that does not show in it. */
    public OptionalDouble seen(java.util.function.ToDoubleFunction<StrandedShards> quantity) {
        return behaviour.isPresent()
                ? OptionalDouble.of(quantity.applyAsDouble(behaviour.get()))
                : OptionalDouble.empty();
    }

    private static HostKernelFinding behaved(
            String kernelRelease, RuleVerdict rule, StrandedShards seen) {
        return new HostKernelFinding(
                kernelRelease,
                rule,
                KernelFinding.verdict(rule.standing(), seen.stranded() > 0),
                Optional.of(seen),
                List.of(rule.reason(), seen.words()));
    }

    private static HostKernelFinding byVersion(String kernelRelease, RuleVerdict rule) {
        KernelFinding.Verdict verdict =
                rule.rule().isFault()
                        ? KernelFinding.verdict(rule.standing(), false)
                        : KernelFinding.Verdict.SOUND;
        return new HostKernelFinding(
                kernelRelease, rule, verdict, Optional.empty(), List.of(rule.reason()));
    }
}
