package io.quotascope.domain.cfs;

import java.util.Arrays;

/**
 * The next instant of every CPU and the earliest of them: a tournament tree, in which a change
 * costs one comparison a level.
 */
final class CpuAgenda {
    private final long[] keys;
    private final int leaves;

    CpuAgenda(int cpus) {
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, cpus - 1)) << 1);
        keys = new long[2 * leaves];
        Arrays.fill(keys, Workload.NEVER);
    }

    /** The earliest instant; {@link Workload#NEVER} if no CPU has one. */
    long first() {
        return keys[1];
    }

    void set(int cpu, long key) {
        int node = leaves + cpu;
        if (keys[node] == key) {
            return;
        }
        keys[node] = key;
        while (node > 1) {
            long least = Math.min(keys[node], keys[node ^ 1]);
            node >>>= 1;
            if (keys[node] == least) {
                return;
            }
            keys[node] = least;
        }
    }

    /** Adds to a set every CPU whose instant is not after the bound. */
    void collect(long bound, CpuSet due) {
        collect(1, bound, due);
    }

    private void collect(int node, long bound, CpuSet due) {
        if (keys[node] > bound || keys[node] == Workload.NEVER) {
            return;
        }
        if (node >= leaves) {
            due.put(node - leaves, true);
            return;
        }
        collect(2 * node, bound, due);
        collect(2 * node + 1, bound, due);
    }
}
