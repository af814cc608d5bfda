package io.quotascope.domain.cfs.service;

import io.quotascope.domain.cfs.Workload;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The people who ask: they do not wait for each other, give up after the time-out and ask again.
 * All wait equally long, so that the oldest attempt is the first to time out.
 */
final class Clients {
    /** Where attempts go. */
    @FunctionalInterface
    interface Server {
        /** Whether there was room for all tasks. */
        boolean accept(Attempt attempt);
    }

    private record Again(long atUs, Request request, int number) {}

    private final Client client;
    private final RequestStream stream;
    private final Ledger ledger;
    private final Server server;
    private final ArrayDeque<Attempt> open = new ArrayDeque<>();
    private final ArrayDeque<Again> again = new ArrayDeque<>();
    private Optional<Request> arriving;

    Clients(Client client, RequestStream stream, Ledger ledger, Server server) {
        this.client = client;
        this.stream = stream;
        this.ledger = ledger;
        this.server = server;
        arriving = stream.next();
    }

    long actsAtUs() {
        while (!open.isEmpty() && !open.peek().isWaitedFor()) {
            open.remove();
        }
        long at = open.isEmpty() ? Workload.NEVER : open.peek().timesOutUs();
        if (!again.isEmpty()) {
            at = Math.min(at, again.peek().atUs());
        }
        return arriving.isEmpty() ? at : Math.min(at, arriving.get().arrivesUs());
    }

    /** Time-outs first, then those who ask again, then those who come. */
    void act(long nowUs) {
        while (!open.isEmpty() && open.peek().timesOutUs() <= nowUs) {
            Attempt attempt = open.remove();
            if (attempt.isWaitedFor()) {
                attempt.leave();
                ledger.timedOut(attempt);
                askAgain(attempt, nowUs);
            }
        }
        while (!again.isEmpty() && again.peek().atUs() <= nowUs) {
            Again due = again.remove();
            ask(due.request(), due.number(), nowUs);
        }
        while (arriving.isPresent() && arriving.get().arrivesUs() <= nowUs) {
            ledger.arrived(arriving.get());
            ask(arriving.get(), 0, nowUs);
            arriving = stream.next();
        }
    }

    /** The server has done all tasks of an attempt. */
    void answered(Attempt attempt, long nowUs) {
        if (!attempt.isWaitedFor()) {
            ledger.answeredLate();
            return;
        }
        attempt.leave();
        ledger.answered(attempt.request(), nowUs);
    }

    private void ask(Request request, int number, long nowUs) {
        Attempt attempt = new Attempt(request, number, nowUs + client.timeoutUs());
        ledger.attempted();
        if (server.accept(attempt)) {
            open.add(attempt);
            return;
        }
        attempt.leave();
        ledger.refused(attempt);
        askAgain(attempt, nowUs);
    }

    private void askAgain(Attempt failed, long nowUs) {
        if (failed.number() >= client.retries()) {
            ledger.givenUp(failed.request(), nowUs);
        } else if (client.backoffUs() == 0) {
            ask(failed.request(), failed.number() + 1, nowUs);
        } else {
            again.add(new Again(nowUs + client.backoffUs(), failed.request(), failed.number() + 1));
        }
    }
}
