package io.quotascope.domain.analysis;

import io.quotascope.domain.analysis.AnalysedCliff.Clients;
import io.quotascope.domain.analysis.AnalysedCliff.WorstShardCliff;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.risk.Cliff;
import io.quotascope.domain.risk.CliffSearch;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.risk.Persistence;
import io.quotascope.domain.risk.ServiceCliff;
import io.quotascope.domain.risk.ServiceCliff.Redistribution;
import io.quotascope.domain.risk.ShardSituation;
import io.quotascope.domain.whatif.Allowance;
import io.quotascope.domain.whatif.ClientPolicy;
import io.quotascope.domain.whatif.CostGrowth;
import io.quotascope.domain.whatif.DemandEnsemble;
import io.quotascope.domain.whatif.DemandEvidence;
import io.quotascope.domain.whatif.DemandSeries;
import io.quotascope.domain.whatif.Reconstruction;
import io.quotascope.domain.window.Exemplars;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.WorstShard;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The cliff of a service from the minutes of a horizon: of a shard with the mean load, of the
 * hottest one, of all of them with the imbalance that was measured, and of the worst shard by its
 * own raw samples. An instance is scratch memory for one thread.
 */
public final class CliffAnalysis {
    /** Quantiles that stand for more shards than these. */
    private static final int SHARDS_DRAWN = 100;

    /** A mean of raw samples so near to a shard's counter is that shard's. */
    private static final double SAME_USE = 0.1;

    private final RiskSettings settings;
    private final CliffSearch search;

    public CliffAnalysis(RiskSettings settings) {
        this.settings = settings;
        this.search = new CliffSearch(settings.policy());
    }

    /**
     * The cliff in multiples of the mean load of the horizon; absent when no demand is known.
     *
     * @param catalog timeout and retries of the clients, where they turn to, and what concurrency
     *     costs
     */
    public Optional<AnalysedCliff> of(HorizonEvidence evidence, CatalogView catalog) {
        Optional<DemandEvidence> demand =
                evidence.demand()
                        .filter(known -> known.meanCores() > 0 && !known.usage().isEmpty());
        return demand.map(known -> of(evidence, known, catalog));
    }

    private AnalysedCliff of(HorizonEvidence evidence, DemandEvidence demand, CatalogView catalog) {
        Optional<ClientPolicy> clients =
                CatalogClients.of(catalog, settings.policy().assumedClients());
        Redistribution redistribution = settings.of(catalog).redistribution();
        Allowance allowance = new Allowance(evidence.quota(), capCores(evidence.minutes(), demand));
        DemandEnsemble ensemble = Reconstruction.synthesize(demand, evidence.seed());
        Optional<CostGrowth> price = catalog.kappa().measuredGrowth(evidence.quotaCores());
        Cliff shard =
                search.of(
                        situation(
                                ensemble.series(),
                                allowance,
                                clients,
                                price,
                                Persistence.of(evidence.minutes())));
        double deviation = ShardImbalance.of(evidence.minutes(), demand.structure());
        int shards = Math.max(1, Math.min(SHARDS_DRAWN, evidence.scope().shards()));
        ServiceCliff service =
                ServiceCliff.of(
                        shard.collapse(),
                        ServiceCliff.logNormalLoads(shards, deviation),
                        redistribution);
        double lost = shard.collapse().value() / service.service().value();
        return new AnalysedCliff(
                evidence.endUs(),
                evidence.horizonUs(),
                evidence.minutes().size(),
                service,
                shard.recovery().dividedBy(lost),
                deviation,
                new Clients(
                        clients.orElse(settings.policy().assumedClients()),
                        clients.isEmpty(),
                        redistribution),
                worstShard(evidence, allowance, clients, price));
    }

    /** A shard runs on no more CPUs than it has threads, as the fitted lines take it. */
    private static double capCores(List<ServiceSums> minutes, DemandEvidence demand) {
        long threads = minutes.stream().mapToLong(minute -> minute.threads().max()).max().orElse(0);
        return threads > 0 ? Math.min(demand.cpus(), threads) : demand.cpus();
    }

    /** A measured price is taken off what was used before it is put on again. */
    private static ShardSituation situation(
            List<DemandSeries> used,
            Allowance allowance,
            Optional<ClientPolicy> clients,
            Optional<CostGrowth> price,
            OptionalDouble persistence) {
        return new ShardSituation(
                price.isEmpty()
                        ? used
                        : used.stream().map(series -> series.pricedAt(price.get())).toList(),
                allowance,
                clients,
                price.orElse(CostGrowth.NONE),
                price.isPresent(),
                persistence);
    }

    /** The newest raw samples of a worst shard, where it is certain whose they are. */
    private Optional<WorstShardCliff> worstShard(
            HorizonEvidence evidence,
            Allowance allowance,
            Optional<ClientPolicy> clients,
            Optional<CostGrowth> price) {
        List<ServiceSums> minutes = evidence.minutes();
        for (int at = minutes.size() - 1; at >= 0; at--) {
            ServiceSums minute = minutes.get(at);
            Optional<PackedBytes> samples =
                    minute.exemplars().worst().map(Exemplars.Worst::samples);
            Optional<DemandSeries> series =
                    samples.flatMap(packed -> Reconstruction.decode(packed, 0));
            Optional<WorstShard> owner = series.flatMap(raw -> ownerOf(raw, minute));
            if (owner.isPresent()) {
                double meanCores = owner.get().usageUs() / 10e6;
                DemandSeries demand = Reconstruction.decode(samples.get(), meanCores).orElseThrow();
                Multiple collapse =
                        search.of(
                                        situation(
                                                List.of(demand),
                                                allowance,
                                                clients,
                                                price,
                                                OptionalDouble.empty()))
                                .collapse();
                return Optional.of(new WorstShardCliff(owner.get().shard(), collapse));
            }
        }
        return Optional.empty();
    }

    /** A row does not say whose samples they are; the use of the worst shards does. */
    private static Optional<WorstShard> ownerOf(DemandSeries raw, ServiceSums minute) {
        return minute.worstShards().stream()
                .filter(shard -> shard.usageUs() > 0)
                .filter(
                        shard ->
                                Math.abs(raw.meanCores() / (shard.usageUs() / 10e6) - 1)
                                        <= SAME_USE)
                .findFirst();
    }
}
