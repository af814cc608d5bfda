package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;
import java.util.Optional;

/**
 * A service as a workload. Threads are numbered workers first, then collecting threads, then loops.
 * At one instant clients act first, then the collector, then loops, and then idle workers take
 * tasks. Work that ends at an instant has ended before anything else of that instant.
 */
final class ServiceWork implements Workload {
    private final Ledger ledger;
    private final Clients clients;
    private final Workers workers;
    private final Optional<Collector> collector;
    private final Loops loops;
    private final int firstCollecting;
    private final int firstLoop;

    ServiceWork(ServicePlan plan, RequestStream requests, long horizonUs) {
        ledger = new Ledger(horizonUs, plan.client().timeoutUs());
        workers = new Workers(plan.pool(), ledger, this::answered);
        clients = new Clients(plan.client(), requests, ledger, workers::accept);
        firstCollecting = plan.pool().threads();
        firstLoop = firstCollecting + plan.collections().map(Collections::threads).orElse(0);
        collector = plan.collections().map(gc -> new Collector(gc, workers, firstCollecting));
        loops = new Loops(plan.loops(), firstLoop);
    }

    @Override
    public int threads() {
        return firstLoop + loops.threads();
    }

    @Override
    public long actsAtUs() {
        if (workers.canBegin()) {
            return 0;
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
        workers.dispatch(wakeups);
    }

    @Override
    public long finished(int thread, long nowUs) {
        if (thread < firstCollecting) {
            return workers.finished(thread, nowUs);
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

    private void answered(Attempt attempt, long nowUs) {
        clients.answered(attempt, nowUs);
    }
}
