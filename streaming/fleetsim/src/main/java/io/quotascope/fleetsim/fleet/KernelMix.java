package io.quotascope.fleetsim.fleet;

/**
 * Kernels of the simulated hosts, and whether they lose unused bandwidth slices in this simulation.
 * The faulty ones are those that the vendors' notes of the fix call affected, and two vendor builds
 * before the fix of which nobody recorded since when they are: here they are faulty, and only their
 * behaviour can tell.
 */
public enum KernelMix {
    /** Red Hat 8 before 4.18.0-147.2.1. */
    RHEL8_BEFORE("4.18.0-80.11.2.el8_0.x86_64", true),
    /** Amazon Linux 2 before 4.14.154-128.181. */
    AMAZON2_BEFORE("4.14.128-112.105.amzn2.x86_64", true),
    /** Ubuntu before 5.3.0-24. */
    UBUNTU_HWE_BEFORE("5.3.0-18-generic", true),
    /** Stable before 4.19.84. */
    STABLE_BEFORE("4.19.50", true),
    /** Ubuntu before 4.15.0-67: by version alone nobody knows. */
    UBUNTU_UNRECORDED("4.15.0-55-generic", true),
    /** Red Hat 7 before 3.10.0-1062.8.1: by version alone nobody knows. */
    RHEL7_UNRECORDED("3.10.0-1062.1.2.el7.x86_64", true),
    /** Red Hat 7 with the fix. */
    RHEL7("3.10.0-1062.8.1.el7.x86_64", false),
    /** Red Hat 8 with the fix. */
    RHEL8("4.18.0-147.2.1.el8_1.x86_64", false),
    /** Amazon Linux 2 with the fix. */
    AMAZON2("4.14.154-128.181.amzn2.x86_64", false),
    /** Ubuntu with the fix. */
    UBUNTU_HWE("5.3.0-24-generic", false),
    /** Google's build of 5.15. */
    GKE("5.15.0-1051-gke", false),
    /** Debian 12. */
    DEBIAN("6.1.0-18-amd64", false);

    private final String release;
    private final boolean faulty;

    KernelMix(String release, boolean faulty) {
        this.release = release;
        this.faulty = faulty;
    }

    /** Release as uname states it. */
    public String release() {
        return release;
    }

    /** Whether slices expire on it. */
    public boolean faulty() {
        return faulty;
    }
}
