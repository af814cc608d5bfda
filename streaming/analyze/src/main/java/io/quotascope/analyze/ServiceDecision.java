package io.quotascope.analyze;

import io.quotascope.domain.advice.Advisor;
import io.quotascope.domain.advice.Decision;
import io.quotascope.domain.advice.Service;
import io.quotascope.domain.analysis.LoadPeaks;
import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.ReplayedHeadroom;
import io.quotascope.domain.savings.FixSet;
import io.quotascope.domain.savings.JointGains;
import io.quotascope.domain.savings.Provisioning;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.WhatIf;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/** The recommended change of a recorded service, as the savings job decides it. */
final class ServiceDecision {
    private ServiceDecision() {}

    /**
     * Decides; absent where nothing runs.
     *
     * @param cliff collapse load / mean load of the service
     */
    static Optional<Decision> of(
            Subject subject,
            List<ServiceSums> minutes,
            WhatIf whatIf,
            Multiple cliff,
            CliffSearch search) {
        double mean = whatIf.now().demand().meanCores();
        if (!(mean > 0)) {
            return Optional.empty();
        }
        TreeMap<Long, LoadPeaks.Hour> hours = new TreeMap<>();
        minutes.forEach(
                minute ->
                        hours.merge(
                                LoadPeaks.hourOf(minute.windowStartUs()),
                                LoadPeaks.Hour.of(minute),
                                LoadPeaks.Hour::most));
        LoadPeaks peaks = new LoadPeaks(hours);
        long end = minutes.get(minutes.size() - 1).windowStartUs() + WindowPart.MINUTE_US;
        double multiple = peaks.multipleOf(mean, end);
        int shards = (int) subject.windows().stream().map(ShardWindow::shardId).distinct().count();
        CpuLimit.Quota quota = subject.quota().orElseThrow();
        Service service =
                new Service(
                        new Provisioning(
                                shards,
                                subject.reservation().orElseThrow(),
                                peaks.mostPerShard(end).orElse(mean) * shards,
                                cliff.dividedBy(multiple).value(),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                OptionalInt.empty()),
                        Provisioning.Targets.DEFAULT,
                        quota);
        List<FixSet> sets =
                new JointGains()
                        .of(
                                whatIf.now().demand().series(),
                                new Allowance(subject.quota(), whatIf.now().capCores()),
                                service.fixes(),
                                subject.kappa(),
                                subject.objective());
        return Optional.of(
                Advisor.decide(
                        whatIf,
                        service,
                        sets,
                        new ReplayedHeadroom(search, subject.clients()),
                        Target.DEFAULT.atPeak(multiple),
                        subject.objective()));
    }
}
