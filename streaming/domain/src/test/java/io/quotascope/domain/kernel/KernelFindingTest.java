package io.quotascope.domain.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.kernel.KernelFinding.Verdict;
import io.quotascope.domain.kernel.StrandedQuota.Standing;
import java.util.List;
import net.jqwik.api.Example;

class KernelFindingTest {
    private static final StrandedQuota IDLE = new StrandedQuota(Standing.NOT_THROTTLED, 0, 0);
    private static final StrandedQuota FULL = new StrandedQuota(Standing.EXPLAINED, 0, 0);
    private static final StrandedQuota LOST = new StrandedQuota(Standing.STRANDED, 0.5, 0.8);

    @Example
    void versionAndBehaviourAreWeighedTogether() {
        assertThat(verdict("5.3.8", LOST)).isEqualTo(Verdict.CONFIRMED);
        assertThat(verdict("5.3.8", FULL)).isEqualTo(Verdict.AFFECTED_NOT_SEEN);
        assertThat(verdict("4.15.0-60-generic", LOST)).isEqualTo(Verdict.BEHAVES_AFFECTED);
        assertThat(verdict("4.15.0-60-generic", FULL)).isEqualTo(Verdict.NOT_SEEN);
        assertThat(verdict("6.1.0-28-amd64", LOST)).isEqualTo(Verdict.UNEXPLAINED);
        assertThat(verdict("6.1.0-28-amd64", IDLE)).isEqualTo(Verdict.SOUND);
    }

    @Example
    void lostCoresAddUpOverTheShardsOfAHost() {
        KernelFinding finding = KernelFinding.of("5.3.8", List.of(LOST, FULL, LOST, IDLE));
        assertThat(finding.strandedCoresLow()).isEqualTo(1.0);
        assertThat(finding.shardsThrottled()).isEqualTo(3);
        assertThat(finding.shardsStranded()).isEqualTo(2);
        assertThat(finding.reason())
                .isEqualTo(
                        "5.3.8: fixed only in 5.3.9; 2 of 3 throttled shards used far less than"
                                + " they were handed out");
    }

    private static Verdict verdict(String release, StrandedQuota shard) {
        return KernelFinding.of(release, List.of(shard)).verdict();
    }
}
