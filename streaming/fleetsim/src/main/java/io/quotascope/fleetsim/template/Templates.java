package io.quotascope.fleetsim.template;

import io.quotascope.domain.cfs.CpuLimit;
import io.quotascope.domain.cfs.KernelRules;
import io.quotascope.domain.cfs.SimulationSetup;
import io.quotascope.domain.cfs.observed.ObservedShard;
import io.quotascope.domain.cfs.observed.ObservedWindows;
import io.quotascope.domain.cfs.offered.LoadCurve;
import io.quotascope.domain.cfs.offered.OfferedLoad;
import io.quotascope.domain.cfs.service.ServicePlan;
import io.quotascope.domain.cfs.service.ServiceRun;
import io.quotascope.domain.cfs.service.ServiceSimulator;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.fleet.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs of the exact simulator, each made when it is first asked for. A run depends on its key and
 * the seed alone, so the order of asking changes nothing. Safe for many threads.
 */
public final class Templates {
    /** The first minute of a run begins with an empty service, so it is left out. */
    private static final int WARM_UP_MINUTES = 1;

    private static final int TICK_HERTZ = 250;

    private final long seed;
    private final Map<TemplateKey, Template> made = new ConcurrentHashMap<>();

    public Templates(long seed) {
        this.seed = seed;
    }

    /** The run of a key. */
    public Template of(TemplateKey key) {
        Template known = made.get(key);
        // Not computeIfAbsent: a run takes long, and would hold up others of the same bin.
        return known == null ? made.merge(key, simulate(key), (first, again) -> first) : known;
    }

    /** Makes runs ahead, on all CPUs. */
    public void make(Collection<TemplateKey> keys) {
        keys.parallelStream().forEach(this::of);
    }

    /** Runs made so far. */
    public int count() {
        return made.size();
    }

    private Template simulate(TemplateKey key) {
        long horizonUs = (WARM_UP_MINUTES + Template.VARIANTS) * WindowPart.MINUTE_US;
        ServicePlan plan = key.kind().plan(key.setting());
        // The same requests whatever the setting and the kernel, as before and after a change.
        OfferedLoad load =
                new OfferedLoad(
                        List.of(key.kind().requests()),
                        LoadCurve.constant(Levels.load(key.level())),
                        seed * 31 + key.kind().name().hashCode() * 31L + key.level());
        ServiceRun run =
                ServiceSimulator.run(setup(key, horizonUs), plan, load.requests(horizonUs));
        List<ShardWindow> records =
                ObservedWindows.of(
                        run.setup(),
                        run.trace(),
                        ObservedShard.of(key.kind().name(), plan.threads(), true));
        List<List<ShardWindow>> minutes = new ArrayList<>();
        for (int minute = WARM_UP_MINUTES; minute < records.size() / WindowPart.SLOTS; minute++) {
            int first = minute * WindowPart.SLOTS;
            minutes.add(records.subList(first, first + WindowPart.SLOTS));
        }
        return new Template(minutes);
    }

    private static SimulationSetup setup(TemplateKey key, long horizonUs) {
        Setting setting = key.setting();
        KernelRules rules = KernelRules.EXACT.withTicks(TICK_HERTZ);
        return SimulationSetup.of(
                key.kind().hostCpus(),
                new CpuLimit.Quota(setting.quotaUs(), setting.periodUs(), 0, 0),
                key.faultyKernel() ? expiring(rules) : rules,
                horizonUs);
    }

    private static KernelRules expiring(KernelRules rules) {
        return new KernelRules(
                rules.bandwidthSliceUs(),
                rules.keptUs(),
                rules.slackDelayUs(),
                rules.refreshGuardUs(),
                rules.grantUs(),
                rules.tickUs(),
                true,
                rules.departure());
    }
}
