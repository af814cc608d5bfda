package io.quotascope.validate.score;

import io.quotascope.domain.cfs.CpuCost;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.service.Client;
import io.quotascope.domain.cfs.service.Pool;
import io.quotascope.domain.cfs.service.Request;
import io.quotascope.domain.cfs.service.RequestStream;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.cfs.service.ServiceSimulator;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.RatioEstimate;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.validate.population.Subject;
import io.quotascope.validate.truth.Truths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What-if where the service itself is built anew: shards merged and split, another bandwidth slice
 * on the host. Two shards are observed, and the truth is of both of them; nobody gives up.
 */
public final class Rebuilt {
    private static final long HORIZON_US = 60_000_000;
    private static final long OTHER_SHARD_SALT = 707;
    private static final double HARDLY_CENSORED = 0.25;
    private static final String SUMMARIES = "summaries";

    private final Truths truths;
    private final Findings findings;

    /** Scores into findings. */
    public Rebuilt(Truths truths, Findings findings) {
        this.truths = truths;
        this.findings = findings;
    }

    private record Answer(String quantity, double observed, double truth, RatioEstimate said) {
        double error() {
            return Math.abs(said.value() - truth);
        }
    }

    /** A subject with two shards. */
    private record Pair(Subject subject, List<Request> first, List<Request> second) {
        static Pair of(Subject impatient, boolean alike) {
            Subject subject =
                    impatient.with(impatient.plan().with(new Client(10 * HORIZON_US, 0, 0)));
            OfferedLoad load = subject.load();
            long seed = load.seed() + (alike ? 0 : OTHER_SHARD_SALT);
            return new Pair(subject, drawn(load), drawn(load.seeded(seed)));
        }

        private static List<Request> drawn(OfferedLoad load) {
            RequestStream stream = load.requests(HORIZON_US);
            List<Request> all = new ArrayList<>();
            for (Optional<Request> next = stream.next(); next.isPresent(); next = stream.next()) {
                all.add(next.get());
            }
            return all;
        }

        List<Request> together() {
            List<Request> all = new ArrayList<>(first);
            all.addAll(second);
            all.sort(Comparator.comparingLong(Request::arrivesUs));
            return all;
        }

        /** Every second request of a shard, as a client that takes turns sends them. */
        static List<Request> byTurns(List<Request> shard) {
            return IntStream.range(0, shard.size())
                    .filter(number -> number % 2 == 0)
                    .mapToObj(shard::get)
                    .toList();
        }

        /** Half of the requests of a shard, as clients that pick at random send them. */
        List<Request> atRandom(List<Request> shard) {
            SplittableRandom random = new SplittableRandom(subject.load().seed());
            return shard.stream().filter(request -> random.nextBoolean()).toList();
        }
    }

    /** Asks about every subject and writes the rows. */
    public void score(List<Subject> subjects) {
        List<Answer> answers =
                subjects.parallelStream()
                        .filter(subject -> subject.plan().collections().isEmpty())
                        .flatMap(one -> ask(one).stream())
                        .filter(answer -> answer.observed() <= HARDLY_CENSORED)
                        .toList();
        for (String quantity :
                answers.stream().map(Answer::quantity).distinct().sorted().toList()) {
            write(quantity, answers.stream().filter(a -> a.quantity().equals(quantity)).toList());
        }
    }

    private List<Answer> ask(Subject impatient) {
        List<Answer> answers = new ArrayList<>();
        for (boolean alike : new boolean[] {false, true}) {
            Pair pair = Pair.of(impatient, alike);
            ServiceRun one = run(pair, pair.first(), 1, pair.subject().rules());
            ServiceRun other = run(pair, pair.second(), 1, pair.subject().rules());
            List<ShardWindow> records = new ArrayList<>(records(pair, one, 0));
            records.addAll(records(pair, other, 1));
            WhatIf whatIf = whatIf(pair, records);
            double observed =
                    (one.throttledPeriodRatio().orElse(0) + other.throttledPeriodRatio().orElse(0))
                            / 2;
            answers.add(
                    new Answer(
                            alike
                                    ? "consolidation of 2 shards, the same load on both"
                                    : "consolidation of 2 shards, independent",
                            observed,
                            truth("merged" + alike, pair, pair.together(), 2),
                            said(whatIf, new Scenario.Consolidate(2, alike ? 1 : 0))));
            if (!alike) {
                answers.add(split(pair, observed, whatIf, "by turns", Pair::byTurns));
                answers.add(split(pair, observed, whatIf, "at random", pair::atRandom));
                for (long sliceUs : new long[] {1_000, 20_000}) {
                    answers.add(slice(pair, observed, whatIf, sliceUs));
                }
            }
        }
        return answers;
    }

    private Answer split(
            Pair pair,
            double observed,
            WhatIf whatIf,
            String how,
            UnaryOperator<List<Request>> half) {
        double first = truth("split " + how + " 0 ", pair, half.apply(pair.first()), 0.5);
        double second = truth("split " + how + " 1 ", pair, half.apply(pair.second()), 0.5);
        return new Answer(
                "split into 2, requests sent " + how,
                observed,
                (first + second) / 2,
                said(whatIf, new Scenario.Split(2)));
    }

    private Answer slice(Pair pair, double observed, WhatIf whatIf, long sliceUs) {
        KernelRules rules = sliced(pair.subject().rules(), sliceUs);
        double truth =
                truths.ask(
                        "slice of both " + sliceUs + pair.subject(),
                        () ->
                                (ratio(pair, pair.first(), rules)
                                                + ratio(pair, pair.second(), rules))
                                        / 2);
        return new Answer(
                "bandwidth slice " + sliceUs / 1_000 + " ms in place of 5",
                observed,
                truth,
                said(whatIf, new Scenario.BandwidthSlice(sliceUs)));
    }

    private static double ratio(Pair pair, List<Request> requests, KernelRules rules) {
        return run(pair, requests, 1, rules).throttledPeriodRatio().orElse(0);
    }

    private double truth(String question, Pair pair, List<Request> requests, double times) {
        return truths.ask(
                "rebuilt, cost by its own quota " + question + pair.subject(),
                () ->
                        run(pair, requests, times, pair.subject().rules())
                                .throttledPeriodRatio()
                                .orElse(0));
    }

    private static RatioEstimate said(WhatIf whatIf, Scenario scenario) {
        return whatIf.outcome(scenario).throttledPeriodRatio();
    }

    private static WhatIf whatIf(Pair pair, List<ShardWindow> records) {
        DemandEvidence evidence =
                DemandEvidence.of(
                                ObservedWindows.sums(records),
                                Optional.of(pair.subject().quota()),
                                pair.subject().hostCpus(),
                                false)
                        .orElseThrow();
        return WhatIf.of(evidence, pair.subject().load().seed());
    }

    private static List<ShardWindow> records(Pair pair, ServiceRun run, int shard) {
        return ObservedWindows.of(
                run.setup(),
                run.trace(),
                new ObservedShard(
                        pair.subject().name(),
                        "shard-" + shard,
                        0,
                        pair.subject().threads(),
                        false));
    }

    private static ServiceRun run(
            Pair pair, List<Request> requests, double times, KernelRules rules) {
        Subject subject = pair.subject();
        CpuLimit.Quota quota = subject.quota();
        CpuLimit.Quota scaled =
                new CpuLimit.Quota(
                        Math.round(times * quota.quotaUs()), quota.periodUs(), 0, quota.phaseUs());
        Pool pool = subject.plan().pools().get(0);
        int threads = (int) Math.max(1, Math.round(times * pool.threads()));
        return ServiceSimulator.run(
                subject.with(rules)
                        .setup(scaled, HORIZON_US)
                        .with(
                                new CpuCost(
                                        subject.cost().kappa(),
                                        times * subject.cost().referenceCores())),
                subject.plan().with(new Pool(threads, pool.queueTasks(), pool.dropsExpired())),
                RequestStream.of(requests));
    }

    private static KernelRules sliced(KernelRules rules, long sliceUs) {
        return new KernelRules(
                sliceUs,
                rules.keptUs(),
                rules.slackDelayUs(),
                rules.refreshGuardUs(),
                rules.grantUs(),
                rules.tickUs(),
                rules.slicesExpire(),
                rules.departure());
    }

    private void write(String quantity, List<Answer> own) {
        double unchanged =
                100
                        * Statistics.mean(
                                own.stream().map(a -> Math.abs(a.observed() - a.truth())).toList());
        double error = 100 * Statistics.mean(own.stream().map(Answer::error).toList());
        long covered =
                own.stream()
                        .filter(a -> a.said().low() <= a.truth() && a.truth() <= a.said().high())
                        .count();
        findings.add(
                Row.plain(
                        quantity + ": ratio, mean abs error",
                        SUMMARIES,
                        "no change",
                        text("%.1f pp", unchanged),
                        own.size()));
        findings.add(
                Row.plain(
                        quantity + ": ratio, mean abs error",
                        SUMMARIES,
                        "what-if",
                        text(
                                "%.1f pp; 90 %% interval covers %.0f %%",
                                error, 100.0 * covered / own.size()),
                        own.size()));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
