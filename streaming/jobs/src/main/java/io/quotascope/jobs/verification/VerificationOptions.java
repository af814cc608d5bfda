package io.quotascope.jobs.verification;

import io.quotascope.domain.verification.VerificationPolicy;
import io.quotascope.jobs.io.options.InvalidOptionException;
import io.quotascope.jobs.io.options.OptionGroup;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** How changes are verified; the meaning is in {@link VerificationPolicy}. */
public final class VerificationOptions implements OptionGroup {
    private static final VerificationPolicy DEFAULT = VerificationPolicy.DEFAULT;

    public static final ConfigOption<Long> SETTLING_HOURS =
            hours(
                    "verification.settling-hours",
                    DEFAULT.settlingHours(),
                    "Full hours after a change that are left out, a count: deploys roll, caches warm up.");

    public static final ConfigOption<Long> HOURS_AFTER_MAX =
            hours(
                    "verification.hours-after-max",
                    DEFAULT.hoursAfterMax(),
                    "Hours after a change that are looked at, a count, a multiple of 24; then the answer is settled and predictions are scored.");

    public static final ConfigOption<Long> HOURS_BACK_MAX =
            hours(
                    "verification.hours-back-max",
                    DEFAULT.hoursBackMax(),
                    "How far back the counterpart of an hour may lie, a count of hours.");

    public static final ConfigOption<Integer> PAIRS_MIN =
            ConfigOptions.key("verification.pairs-min")
                    .intType()
                    .defaultValue(DEFAULT.pairsMin())
                    .withDescription(
                            "Matched pairs of hours below which no answer is given, a count.");

    public static final ConfigOption<Integer> UNAFFECTED_MAX =
            ConfigOptions.key("verification.unaffected-max")
                    .intType()
                    .defaultValue(20)
                    .withDescription(
                            "Most services that a changed one is compared with, a count; the work grows with its square.");

    private static ConfigOption<Long> hours(String key, long value, String meaning) {
        return ConfigOptions.key(key).longType().defaultValue(value).withDescription(meaning);
    }

    /**
     * @throws InvalidOptionException if a value makes no sense
     */
    static VerificationFunction.Policy policy(ReadableConfig config) {
        long settling = config.get(SETTLING_HOURS);
        long after = config.get(HOURS_AFTER_MAX);
        long back = config.get(HOURS_BACK_MAX);
        int pairs = config.get(PAIRS_MIN);
        boolean sound = settling >= 0 && after >= 24 && after % 24 == 0 && back >= 24 && pairs > 0;
        if (!sound || config.get(UNAFFECTED_MAX) < 0) {
            throw new InvalidOptionException(
                    "options verification.*: hours-after-max must be a multiple of 24, hours-back-max at least 24, pairs-min at least 1, the others not negative");
        }
        return () ->
                new VerificationPolicy(
                        settling,
                        after,
                        back,
                        pairs,
                        DEFAULT.resamples(),
                        DEFAULT.throttledRatioMin(),
                        DEFAULT.factorMin());
    }

    @Override
    public String name() {
        return "verification";
    }

    @Override
    public String purpose() {
        return "How the verification job judges what changes did.";
    }

    @Override
    public List<ConfigOption<?>> options() {
        return List.of(SETTLING_HOURS, HOURS_AFTER_MAX, HOURS_BACK_MAX, PAIRS_MIN, UNAFFECTED_MAX);
    }
}
