package io.quotascope.domain.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Offset;

class SlotServerTest {
    /** Slots served one by one and all at once, on the grid of the samples and off it. */
    @Property(tries = 60)
    void manySlotsAtOnceUseTheSame(
            @ForAll @LongRange(min = 1, max = 1_000) long seed,
            @ForAll @LongRange(min = 5_000, max = 400_000) long quotaUs,
            @ForAll @IntRange(min = 1, max = 25) int periodSlots,
            @ForAll @LongRange(min = 0, max = 9) long phaseSlots,
            @ForAll boolean grid) {
        long periodUs = periodSlots * 10_000L + (grid ? 0 : 1_234);
        CpuLimit.Quota quota =
                new CpuLimit.Quota(quotaUs, periodUs, quotaUs / 2, phaseSlots * 10_000 % periodUs);
        Allowance allowance = new Allowance(Optional.of(quota), 6);
        double[] cores = MeasuredDemand.bursts(seed, 700).toArray();
        SlotServer atOnce = new SlotServer();
        atOnce.reset(allowance, CostGrowth.NONE);
        double[] used = new double[cores.length];
        atOnce.serve(cores, used);
        SlotServer oneByOne = new SlotServer();
        oneByOne.reset(allowance, CostGrowth.NONE);
        for (int slot = 0; slot < cores.length; slot++) {
            assertThat(used[slot])
                    .as("slot %s", slot)
                    .isCloseTo(oneByOne.serve(cores[slot]), Offset.offset(1e-9));
        }
        assertThat(atOnce.meter().periods()).isEqualTo(oneByOne.meter().periods());
        assertThat(atOnce.meter().throttledPeriods())
                .isEqualTo(oneByOne.meter().throttledPeriods());
    }
}
