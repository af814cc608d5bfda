package io.quotascope.domain.whatif.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How to apply a setting, ready to paste.
 *
 * @param platform what it is for
 * @param text the lines
 * @param remark what the platform cannot do or needs besides; empty when nothing
 */
public record SettingText(Platform platform, String text, String remark) {
    private static final long DEFAULT_PERIOD_US = 100_000;

    /** What settings are written for. */
    public enum Platform {
        /** Patch of a Deployment. */
        KUBERNETES,
        /** Drop-in of a service unit. */
        SYSTEMD,
        /** Marathon application. */
        MESOS,
        /** Files of cgroup v2. */
        CGROUP_V2,
        /** Files of cgroup v1. */
        CGROUP_V1,
        /** Flags of the Java virtual machine. */
        JVM,
        /** Environment of a Go program. */
        GO,
        /** System property of Netty. */
        NETTY
    }

    /**
     * All texts for a setting of a container or unit with this name: what is to be pasted is the
     * change and nothing else, so runtimes are told threads only where pools are set.
     */
    public static List<SettingText> of(Setting setting, String name) {
        List<SettingText> texts = new ArrayList<>();
        texts.add(kubernetes(setting, name));
        texts.add(systemd(setting));
        texts.add(mesos(setting, name));
        texts.add(cgroupV2(setting));
        texts.add(cgroupV1(setting));
        setting.poolThreads().ifPresent(threads -> texts.addAll(runtimes(threads)));
        return texts;
    }

    private static SettingText kubernetes(Setting setting, String name) {
        String cpu =
                setting.wholeCpus()
                        ? String.valueOf(Math.round(setting.cores()))
                        : (long) Math.ceil(1000 * setting.cores() - 1e-6) + "m";
        String patch =
                """
                spec:
                  template:
                    spec:
                      containers:
                        - name: %s
                          resources:
                            requests:
                              cpu: "%s"
                            limits:
                              cpu: "%s"
                """
                        .formatted(name, cpu, cpu);
        List<String> remarks = new ArrayList<>();
        if (setting.wholeCpus()) {
            remarks.add(
                    "needs kubelet cpuManagerPolicy: static, memory request equal to its limit,"
                            + " and every container of the pod with requests equal to limits");
        } else {
            if (setting.quota().periodUs() != DEFAULT_PERIOD_US) {
                remarks.add(
                        "the period is the kubelet's: cpuCFSQuotaPeriod: "
                                + milliseconds(setting.quota().periodUs())
                                + " with feature gate CustomCPUCFSQuotaPeriod");
            }
            if (setting.quota().burstUs() > 0) {
                remarks.add("a manifest has no field for burst: write cpu.max.burst on the host");
            }
        }
        return new SettingText(Platform.KUBERNETES, patch, join(remarks));
    }

    private static SettingText systemd(Setting setting) {
        if (setting.wholeCpus()) {
            long last = Math.round(setting.cores()) - 1;
            return new SettingText(
                    Platform.SYSTEMD,
                    "[Service]\nCPUQuota=\nAllowedCPUs=0-" + last + "\n",
                    "choose CPUs that no other unit is given");
        }
        String text =
                "[Service]\nCPUQuota="
                        + (long) Math.ceil(100 * setting.cores() - 1e-6)
                        + "%\nCPUQuotaPeriodSec="
                        + milliseconds(setting.quota().periodUs())
                        + "\n";
        String remark =
                setting.quota().burstUs() > 0
                        ? "a unit has no setting for burst: write cpu.max.burst after its start"
                        : "";
        return new SettingText(Platform.SYSTEMD, text, remark);
    }

    private static SettingText mesos(Setting setting, String name) {
        String text =
                String.format(
                        Locale.ROOT, "{\"id\": \"/%s\", \"cpus\": %.3f}\n", name, setting.cores());
        List<String> remarks = new ArrayList<>();
        if (setting.wholeCpus()) {
            remarks.add("Mesos does not pin: the agent needs an isolator with cpusets");
        } else {
            remarks.add("the quota is in force with agent flag --cgroups_enable_cfs");
            if (setting.quota().periodUs() != DEFAULT_PERIOD_US || setting.quota().burstUs() > 0) {
                remarks.add("period and burst are the agent's, not the application's");
            }
        }
        return new SettingText(Platform.MESOS, text, join(remarks));
    }

    /**
     * The kernel refuses a quota below the burst in force, so the burst goes first
     * (tg_set_cfs_bandwidth in kernel/sched/core.c).
     */
    private static SettingText cgroupV2(Setting setting) {
        if (setting.wholeCpus()) {
            long last = Math.round(setting.cores()) - 1;
            return new SettingText(
                    Platform.CGROUP_V2,
                    "echo max > cpu.max\necho 0-" + last + " > cpuset.cpus\n",
                    "choose CPUs that no other cgroup is given");
        }
        long burstUs = setting.quota().burstUs();
        String text =
                "echo 0 > cpu.max.burst\necho \""
                        + setting.quota().quotaUs()
                        + " "
                        + setting.quota().periodUs()
                        + "\" > cpu.max\n"
                        + (burstUs > 0 ? "echo " + burstUs + " > cpu.max.burst\n" : "");
        return new SettingText(
                Platform.CGROUP_V2, text, burstUs > 0 ? "cpu.max.burst needs kernel 5.14" : "");
    }

    private static SettingText cgroupV1(Setting setting) {
        if (setting.wholeCpus()) {
            long last = Math.round(setting.cores()) - 1;
            return new SettingText(
                    Platform.CGROUP_V1,
                    "echo -1 > cpu.cfs_quota_us\necho 0-" + last + " > cpuset.cpus\n",
                    "cpuset.cpus is in the tree of cpusets; choose CPUs that no other cgroup is"
                            + " given");
        }
        long burstUs = setting.quota().burstUs();
        String text =
                "echo 0 > cpu.cfs_burst_us\necho "
                        + setting.quota().periodUs()
                        + " > cpu.cfs_period_us\necho "
                        + setting.quota().quotaUs()
                        + " > cpu.cfs_quota_us\n"
                        + (burstUs > 0 ? "echo " + burstUs + " > cpu.cfs_burst_us\n" : "");
        return new SettingText(
                Platform.CGROUP_V1, text, burstUs > 0 ? "cpu.cfs_burst_us needs kernel 5.14" : "");
    }

    private static List<SettingText> runtimes(int threads) {
        return List.of(
                new SettingText(
                        Platform.JVM,
                        "-XX:ActiveProcessorCount="
                                + threads
                                + " -XX:ParallelGCThreads="
                                + threads
                                + " -XX:ConcGCThreads="
                                + Math.max(1, threads / 4)
                                + " -Djava.util.concurrent.ForkJoinPool.common.parallelism="
                                + threads
                                + "\n",
                        "pools that the program sizes itself are not touched"),
                new SettingText(Platform.GO, "GOMAXPROCS=" + threads + "\n", ""),
                new SettingText(
                        Platform.NETTY,
                        "-Dio.netty.eventLoopThreads=" + threads + "\n",
                        "event loops that share the shard with other pools: one or two"));
    }

    private static String milliseconds(long us) {
        return us % 1000 == 0 ? us / 1000 + "ms" : us + "us";
    }

    private static String join(List<String> remarks) {
        return String.join("; ", remarks);
    }
}
