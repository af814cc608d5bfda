package io.quotascope.domain.window;

/** How the usage of one sample was obtained. */
public enum SamplingMethod {
    /** Exact slices at every switch of tasks. */
    EBPF,
    /** The kernel's counter, read just after a timer tick. */
    TICK_POLL,
    /** A recorded trace through the collector's code. */
    REPLAY,
    /** A model. */
    SIMULATION
}
