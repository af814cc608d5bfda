package io.quotascope.domain.kernel;

/** Who built a kernel: versions are comparable within one line only. */
public enum KernelLine {
    /** A release of kernel.org without a suffix, or with one that changes no code. */
    MAINLINE(true),
    /** Red Hat Enterprise Linux and its rebuilds: 3.10.0-1062.8.1.el7. */
    RHEL(false),
    /** Ubuntu's generic kernels: 5.3.0-24-generic. */
    UBUNTU(false),
    /** Ubuntu's cloud kernels, numbered on their own: 5.15.0-1051-gke. */
    UBUNTU_CLOUD(false),
    /** Debian: the release names the interface (4.19.0-6), not the stable version. */
    DEBIAN(false),
    /** Amazon Linux: 4.14.154-128.181.amzn2. */
    AMAZON(true),
    /** Container Linux and Flatcar: 4.19.84-coreos. */
    COREOS(true),
    /** SUSE: 5.3.18-57-default. */
    SUSE(true),
    /** A version with a suffix that we do not know: whose patches it has cannot be told. */
    UNRECOGNISED(true);

    private final boolean statesStable;

    KernelLine(boolean statesStable) {
        this.statesStable = statesStable;
    }

    /** Whether the third number is the stable release of kernel.org that the kernel is based on. */
    public boolean statesStable() {
        return statesStable;
    }
}
