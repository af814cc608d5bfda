package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A service as a workload. Threads are numbered workers by pool first, then collecting threads,
 * then loops. At one instant clients act first, then the collector, then loops, and then idle
 * workers of each pool take tasks. Work that ends at an instant has ended before anything else of
 * that instant.
 */
final class ServiceWork implements Workload {
    private final Ledger ledger;
    private final Clients clients;
    private final List<Workers> pools = new ArrayList<>();
    private final Workers[] poolOf;
    private final Optional<Collector> collector;
    private final Loops loops;
    private final int firstLoop;

    ServiceWork(ServicePlan plan, RequestStream requests, long horizonUs) {
        ledger = new Ledger(horizonUs, plan.client().timeoutUs());
        poolOf = new Workers[plan.pools().stream().mapToInt(Pool::threads).sum()];
        int thread = 0;
        for (Pool pool : plan.pools()) {
            Workers workers = new Workers(pool, thread, ledger, this::answered);
            pools.add(workers);
            Arrays.fill(poolOf, thread, thread + pool.threads(), workers);
            thread += pool.threads();
        }
        clients = new Clients(plan.client(), requests, ledger, this::accept);
        int firstCollecting = thread;
        firstLoop = firstCollecting + plan.collections().map(Collections::threads).orElse(0);
        collector = plan.collections().map(gc -> new Collector(gc, pools, firstCollecting));
        loops = new Loops(plan.loops(), firstLoop);
    }

    @Override
    public int threads() {
        return firstLoop + loops.threads();
    }

    @Override
    public long actsAtUs() {
        for (Workers workers : pools) {
            if (workers.canBegin()) {
                return 0;
            }
        }
        long at = Math.min(clients.actsAtUs(), loops.actsAtUs());
        return collector.isPresent() ? Math.min(at, collector.get().actsAtUs()) : at;
    }

    @Override
    public void act(long nowUs, Wakeups wakeups) {
        clients.act(nowUs);
        if (collector.isPresent()) {
            collector.get().act(nowUs, wakeups);
        }
        loops.act(nowUs, wakeups);
        for (Workers workers : pools) {
            workers.dispatch(wakeups);
        }
    }

    @Override
    public long finished(int thread, long nowUs) {
        if (thread < poolOf.length) {
            return poolOf[thread].finished(thread, nowUs);
        }
        if (thread < firstLoop) {
            collector.orElseThrow().finished(nowUs);
            return 0;
        }
        return loops.finished(thread, nowUs);
    }

    ServiceRequests requests() {
        return ledger.outcome();
    }

    private boolean accept(Attempt attempt) {
        return pools.get(attempt.request().pool()).accept(attempt);
    }

    private void answered(Attempt attempt, long nowUs) {
        clients.answered(attempt, nowUs);
    }
}
