package io.quotascope.domain.advice;

import io.quotascope.domain.savings.Fix;
import io.quotascope.domain.savings.FixKind;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.whatif.Outcome;
import io.quotascope.domain.whatif.advice.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One change a service could make: a set of fixes, or none, with the least reservation that it then
 * needs.
 *
 * @param fixes the set; absent for the reservation alone
 * @param setting the whole setting of one shard
 * @param decidedBy what decides its size
 * @param reached whether the replay of the whole setting reaches the target
 * @param cores reserved cores of all shards afterwards; those of today where it is not reached
 * @param after outcome at peak with the setting
 * @param headroom collapse load / peak load of a shard with the setting; absent when not known or
 *     not asked for
 */
public record Candidate(
        Optional<FixSet> fixes,
        Setting setting,
        DecidedBy decidedBy,
        boolean reached,
        double cores,
        Outcome after,
        OptionalDouble headroom) {
    /** One field of a manifest or a unit; a judgement of practice, as those of {@link FixKind}. */
    private static final double RESIZE_DAYS = 0.5;

    private static final double RESIZE_PROBABILITY = 0.9;

    /** What decides how much must stay reserved. */
    public enum DecidedBy {
        /** Need for the target headroom / gain of the fixes, as the gain model has it. */
        GAIN,
        /** What must stay for the peak, failures, memory and the least number of shards. */
        FLOOR,
        /** The replay of the whole setting: less would miss the target. */
        TARGET,
        /** Rounding up to whole CPUs of each shard. */
        WHOLE_CPUS,
        /** The owner wants latency: the cores of today stay. */
        AIM,
        /** Nothing is changed. */
        AS_IT_IS;

        /** Name in records. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether anything is changed. */
    public boolean changes() {
        return fixes.isPresent() || decidedBy != DecidedBy.AS_IT_IS;
    }

    /** Work of people, days: that of the fixes, and of another quota where there is one. */
    public double effortDays() {
        boolean resized = changes() && !setting.wholeCpus() && decidedBy != DecidedBy.AIM;
        return fixes.map(FixSet::effortDays).orElse(0.0) + (resized ? RESIZE_DAYS : 0.0);
    }

    /** Probability that the change is made and stays, 0..1. */
    public double successProbability() {
        return fixes.map(FixSet::successProbability).orElse(changes() ? RESIZE_PROBABILITY : 1.0);
    }

    /** The change in one line. */
    public String words() {
        if (!changes()) {
            return "leave it as it is";
        }
        List<String> words = new ArrayList<>();
        boolean stays = decidedBy == DecidedBy.AIM;
        if (setting.wholeCpus()) {
            words.add(
                    text(
                            setting.cores() == 1 ? "%.0f whole CPU %s" : "%.0f whole CPUs %s",
                            setting.cores(),
                            "a shard in place of the quota"));
        } else {
            words.add(
                    text(stays ? "quota stays %.2f" : "quota %.2f", setting.cores())
                            + " cores a shard");
            if (has(FixKind.BURST)) {
                words.add(text("burst %.0f ms", setting.quota().burstUs() / 1e3));
            }
        }
        setting.poolThreads()
                .ifPresent(
                        n ->
                                words.add(
                                        "at most "
                                                + n
                                                + (n == 1 ? " thread" : " threads")
                                                + " at once"));
        return (stays ? "for latency: " : "") + String.join(", ", words);
    }

    /** What it needs besides the setting; empty when nothing is changed. */
    public List<String> needs() {
        if (!changes()) {
            return List.of();
        }
        List<String> needs = new ArrayList<>();
        if (setting.wholeCpus()) {
            needs.add("hosts that give CPUs away whole (static CPU manager, or cpusets)");
        } else if (has(FixKind.BURST)) {
            needs.add("kernel 5.14 or later, for burst");
            needs.add("a write to cpu.max.burst on the host: no manifest has it");
        }
        if (setting.poolThreads().isPresent()) {
            needs.add("a canary: fewer threads can lock a program that waits in them");
        }
        needs.add(
                setting.poolThreads().isPresent() || setting.wholeCpus()
                        ? "a restart of each shard"
                        : "a restart of each shard, where the platform cannot resize in place");
        return List.copyOf(needs);
    }

    private boolean has(FixKind kind) {
        return fixes.map(FixSet::fixes).orElse(List.of()).stream()
                .map(Fix::kind)
                .anyMatch(kind::equals);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
