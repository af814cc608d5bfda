package io.quotascope.domain.cfs.offered;

import io.quotascope.domain.cfs.service.Request;
import io.quotascope.domain.cfs.service.RequestStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is asked of a service.
 *
 * @param classes kinds of requests; equal instants are served in this order
 * @param load multiple of all of them, except of pulses
 * @param seed seed of all draws; every kind has streams of its own
 */
public record OfferedLoad(List<RequestClass> classes, LoadCurve load, long seed) {
    private static final int STREAMS = 3;

    /** Kinds that cannot change any more. */
    public OfferedLoad {
        classes = List.copyOf(classes);
    }

    /** Cores offered at load 1, over a long time. */
    public double offeredCores() {
        return classes.stream().mapToDouble(RequestClass::offeredCores).sum();
    }

    /** The same at another load. */
    public OfferedLoad at(LoadCurve other) {
        return new OfferedLoad(classes, other, seed);
    }

    /** The same at another constant load. */
    public OfferedLoad at(double multiple) {
        return at(LoadCurve.constant(multiple));
    }

    /** The same with other draws. */
    public OfferedLoad seeded(long other) {
        return new OfferedLoad(classes, load, other);
    }

    /** The same and one kind more. */
    public OfferedLoad plus(RequestClass more) {
        List<RequestClass> all = new ArrayList<>(classes);
        all.add(more);
        return new OfferedLoad(all, load, seed);
    }

    /** The requests that arrive before the end. */
    public RequestStream requests(long endUs) {
        List<Source> sources = new ArrayList<>();
        for (RequestClass kind : classes) {
            sources.add(
                    new Source(
                            kind,
                            instants(kind.arrivals(), sources.size(), endUs),
                            new Draws(seed, STREAMS * sources.size())));
        }
        return () -> {
            Source earliest = null;
            for (Source source : sources) {
                if (earliest == null || source.nextUs < earliest.nextUs) {
                    earliest = source;
                }
            }
            return earliest == null || earliest.nextUs == Instants.NONE
                    ? Optional.empty()
                    : Optional.of(earliest.take());
        };
    }

    private Instants instants(ArrivalLaw law, int number, long endUs) {
        Draws arrivals = new Draws(seed, STREAMS * number + 1);
        Draws rates = new Draws(seed, STREAMS * number + 2);
        if (law instanceof ArrivalLaw.Steady steady) {
            return Instants.poisson(steady::perSecond, load, arrivals, endUs);
        }
        if (law instanceof ArrivalLaw.Modulated modulated) {
            return Instants.poisson(Rates.of(modulated, rates), load, arrivals, endUs);
        }
        if (law instanceof ArrivalLaw.OnOff onOff) {
            return Instants.poisson(Rates.of(onOff, rates), load, arrivals, endUs);
        }
        if (law instanceof ArrivalLaw.Recorded recorded) {
            return Instants.poisson(Rates.of(recorded), load, arrivals, endUs);
        }
        if (law instanceof ArrivalLaw.Clumps clumps) {
            Instants centres = Instants.poisson(clumps::clumpsPerSecond, load, arrivals, endUs);
            return Instants.clumps(centres, clumps, rates, endUs);
        }
        if (law instanceof ArrivalLaw.Schedule schedule) {
            return Instants.schedule(schedule, load, arrivals, endUs);
        }
        if (law instanceof ArrivalLaw.Pulse pulse) {
            return Instants.poisson(Rates.of(pulse), LoadCurve.constant(1), arrivals, endUs);
        }
        throw new IllegalStateException("no such law: " + law);
    }

    /** One kind of requests and its next arrival. */
    private static final class Source {
        private final RequestClass kind;
        private final Instants instants;
        private final Draws draws;
        private long nextUs;

        Source(RequestClass kind, Instants instants, Draws draws) {
            this.kind = kind;
            this.instants = instants;
            this.draws = draws;
            nextUs = instants.next();
        }

        Request take() {
            long[] tasks = new long[draws.uniform(kind.tasksMin(), kind.tasksMax())];
            for (int task = 0; task < tasks.length; task++) {
                tasks[task] = WorkLaw.draw(kind.work(), draws);
            }
            Request request = new Request(nextUs, tasks, kind.pool());
            nextUs = instants.next();
            return request;
        }
    }
}
