package io.quotascope.domain.hosts;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * What arrived in time about one minute of one host: the ground of its alerts. Mutable, because it
 * is added to with every record; some 200 bytes for each shard with a quota and 1 KB beside.
 */
public final class HostMinute {
    private final HostSpan span;
    private final Pressure[] slots;

    /** Nothing arrived yet. */
    public HostMinute(HostKey key) {
        this(new HostSpan(key), empty());
    }

    /**
     * What arrived before.
     *
     * @throws IllegalArgumentException when there are not six windows
     */
    public HostMinute(HostSpan span, Pressure[] slots) {
        if (slots.length != WindowPart.SLOTS) {
            throw new IllegalArgumentException("six windows expected: " + slots.length);
        }
        this.span = span;
        this.slots = slots;
    }

    private static Pressure[] empty() {
        Pressure[] slots = new Pressure[WindowPart.SLOTS];
        Arrays.setAll(slots, slot -> new Pressure());
        return slots;
    }

    /** Adds a window of a shard. */
    public void add(ShardWindow window) {
        span.add(window, OptionalLong.empty());
        slots[WindowPart.slotOf(window.windowStartUs())].add(window);
    }

    /** Adds a window of the host. */
    public void add(HostReport report, Saturation saturation) {
        span.add(report, OptionalLong.empty(), saturation);
        if (saturation.of(report)) {
            slots[WindowPart.slotOf(report.windowStartUs())].saturated();
        }
    }

    /** Counts and shards of the minute. */
    public HostSpan span() {
        return span;
    }

    /** Counts of the minute. */
    public HostTally tally() {
        return span.tally();
    }

    /** Shards of the minute. */
    public HostShards shards() {
        return span.shards();
    }

    /** The six windows of 10 s; not to be written to. */
    public Pressure[] slots() {
        return slots;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostMinute that
                && span.equals(that.span)
                && Arrays.equals(slots, that.slots);
    }

    @Override
    public int hashCode() {
        return span.hashCode();
    }
}
