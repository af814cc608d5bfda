package io.quotascope.domain.whatif.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SettingTextTest {
    private static final Setting TUNED =
            new Setting(new CpuLimit.Quota(125_000, 50_000, 60_000, 0), OptionalInt.of(3), false);

    @Test
    void kubernetesGetsAManifestAndIsToldWhatItCannotSay() {
        SettingText text = find(TUNED, SettingText.Platform.KUBERNETES);
        assertThat(text.text())
                .isEqualTo(
                        """
                        spec:
                          template:
                            spec:
                              containers:
                                - name: checkout
                                  resources:
                                    requests:
                                      cpu: "2500m"
                                    limits:
                                      cpu: "2500m"
                        """);
        assertThat(text.remark()).contains("cpuCFSQuotaPeriod: 50ms").contains("cpu.max.burst");
    }

    @Test
    void systemdGetsADropIn() {
        assertThat(find(TUNED, SettingText.Platform.SYSTEMD).text())
                .isEqualTo("[Service]\nCPUQuota=250%\nCPUQuotaPeriodSec=50ms\n");
    }

    /** Linux 6.18 answers EINVAL to a quota below the burst in force, tried in both orders. */
    @Test
    void aCgroupGetsItsFilesAndAnOldBurstIsInNobodysWay() {
        assertThat(find(TUNED, SettingText.Platform.CGROUP_V2).text())
                .isEqualTo(
                        """
                        echo 0 > cpu.max.burst
                        echo "125000 50000" > cpu.max
                        echo 60000 > cpu.max.burst
                        """);
        assertThat(find(TUNED, SettingText.Platform.CGROUP_V1).text())
                .isEqualTo(
                        """
                        echo 0 > cpu.cfs_burst_us
                        echo 50000 > cpu.cfs_period_us
                        echo 125000 > cpu.cfs_quota_us
                        echo 60000 > cpu.cfs_burst_us
                        """);
        Setting plain =
                new Setting(new CpuLimit.Quota(20_000, 100_000, 0, 0), OptionalInt.empty(), false);
        assertThat(find(plain, SettingText.Platform.CGROUP_V2).text())
                .isEqualTo("echo 0 > cpu.max.burst\necho \"20000 100000\" > cpu.max\n");
        assertThat(find(plain, SettingText.Platform.CGROUP_V1).text()).endsWith("cfs_quota_us\n");
    }

    @Test
    void mesosGetsCpus() {
        assertThat(find(TUNED, SettingText.Platform.MESOS).text())
                .isEqualTo("{\"id\": \"/checkout\", \"cpus\": 2.500}\n");
    }

    @Test
    void runtimesGetTheThreadsOfThePools() {
        assertThat(find(TUNED, SettingText.Platform.JVM).text())
                .isEqualTo(
                        "-XX:ActiveProcessorCount=3 -XX:ParallelGCThreads=3 -XX:ConcGCThreads=1"
                                + " -Djava.util.concurrent.ForkJoinPool.common.parallelism=3\n");
        assertThat(find(TUNED, SettingText.Platform.GO).text()).isEqualTo("GOMAXPROCS=3\n");
        assertThat(find(TUNED, SettingText.Platform.NETTY).text())
                .isEqualTo("-Dio.netty.eventLoopThreads=3\n");
    }

    @Test
    void wholeCpusAreNoQuota() {
        Setting pinned =
                new Setting(new CpuLimit.Quota(400_000, 100_000, 0, 0), OptionalInt.empty(), true);
        assertThat(find(pinned, SettingText.Platform.KUBERNETES).text()).contains("cpu: \"4\"");
        assertThat(find(pinned, SettingText.Platform.KUBERNETES).remark()).contains("static");
        assertThat(find(pinned, SettingText.Platform.SYSTEMD).text())
                .isEqualTo("[Service]\nCPUQuota=\nAllowedCPUs=0-3\n");
        assertThat(find(pinned, SettingText.Platform.CGROUP_V2).text())
                .isEqualTo("echo max > cpu.max\necho 0-3 > cpuset.cpus\n");
        assertThat(find(pinned, SettingText.Platform.CGROUP_V1).text())
                .isEqualTo("echo -1 > cpu.cfs_quota_us\necho 0-3 > cpuset.cpus\n");
        // Pools that are not part of the change are not touched.
        assertThat(SettingText.of(pinned, "checkout"))
                .extracting(SettingText::platform)
                .doesNotContain(SettingText.Platform.GO, SettingText.Platform.JVM);
    }

    @Test
    void partsOfACoreAreRoundedUp() {
        Setting third =
                new Setting(new CpuLimit.Quota(33_333, 100_000, 0, 0), OptionalInt.empty(), false);
        assertThat(find(third, SettingText.Platform.KUBERNETES).text()).contains("\"334m\"");
        assertThat(find(third, SettingText.Platform.SYSTEMD).text()).contains("CPUQuota=34%");
    }

    private static SettingText find(Setting setting, SettingText.Platform platform) {
        return SettingText.of(setting, "checkout").stream()
                .filter(text -> text.platform() == platform)
                .findFirst()
                .orElseThrow();
    }
}
