package io.quotascope.fleetsim.fleet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Draws services, hosts and places; what happens to them is drawn by {@link Events}. */
final class FleetDraw {
    private static final List<String> CLUSTERS = List.of("sim-east", "sim-west", "sim-legacy");

    /** Services of the cluster with old kernels, one in so many. */
    private static final int LEGACY_ONE_IN = 6;

    private static final List<String> NAMES =
            List.of(
                    "orders", "search", "basket", "prices", "users", "mail", "feeds", "images",
                    "ledger", "routes", "stock", "quotes", "offers", "events", "chat", "reports");
    private static final int TEAMS = 12;
    private static final int CPUS = 32;

    /** Half of the hosts of the old cluster lose quota. */
    private static final List<KernelMix> LEGACY_KERNELS =
            List.of(
                    KernelMix.RHEL8_BEFORE,
                    KernelMix.RHEL8,
                    KernelMix.AMAZON2_BEFORE,
                    KernelMix.AMAZON2,
                    KernelMix.UBUNTU_UNRECORDED,
                    KernelMix.RHEL7,
                    KernelMix.STABLE_BEFORE,
                    KernelMix.UBUNTU_HWE,
                    KernelMix.RHEL7_UNRECORDED,
                    KernelMix.DEBIAN,
                    KernelMix.UBUNTU_HWE_BEFORE,
                    KernelMix.GKE);

    private static final List<KernelMix> KERNELS =
            List.of(KernelMix.GKE, KernelMix.DEBIAN, KernelMix.RHEL8, KernelMix.AMAZON2);

    private static final long SERVICES = 1;
    private static final long PLACES = 2;

    /** Loads of the shards of a service differ: most are alike, some are a step off, one is hot. */
    private static final int[] LEVEL_OFFSETS = {0, 0, 0, -1, 0, 1, 0, 0, -1, 2};

    private final FleetSettings settings;
    private final List<Kind> kinds;

    FleetDraw(FleetSettings settings) {
        this.settings = settings;
        kinds = Kinds.draw(settings.seed());
    }

    Fleet fleet() {
        Chance chance = new Chance(settings.seed(), SERVICES);
        List<Kind> kindOf = kindOfEachService();
        int[] shards = shardsOfEachService(kindOf, chance);
        int[] perCluster = new int[CLUSTERS.size()];
        for (int number = 0; number < shards.length; number++) {
            perCluster[cluster(number)] += shards[number];
        }
        List<List<Host>> hosts = hosts(perCluster);
        List<Service> services = new ArrayList<>();
        for (int number = 0; number < shards.length; number++) {
            services.add(
                    service(
                            number,
                            kindOf.get(number),
                            shards[number],
                            hosts.get(cluster(number)),
                            chance));
        }
        List<Host> all = hosts.stream().flatMap(List::stream).toList();
        Events events = new Events(settings, services, all);
        return new Fleet(settings, kinds, all, events.changed(), events.silences());
    }

    private static int cluster(int service) {
        return service % LEGACY_ONE_IN == LEGACY_ONE_IN - 1 ? 2 : service % 2;
    }

    /** Every second service of the old cluster shows what its kernels do. */
    private static boolean isSpread(int service) {
        return cluster(service) == 2 && service / LEGACY_ONE_IN % 2 == 0;
    }

    /** Every flaw gets its share, at least one service; flaws are dealt over the numbers. */
    private List<Kind> kindOfEachService() {
        Map<Flaw, Integer> count = new EnumMap<>(Flaw.class);
        int left =
                (int) IntStream.range(0, settings.services()).filter(one -> !isSpread(one)).count();
        for (Flaw flaw : Flaw.values()) {
            if (flaw.share() > 0) {
                int some = (int) Math.max(1, Math.round(flaw.share() * settings.services()));
                count.put(flaw, some);
                left -= some;
            }
        }
        count.put(Flaw.NONE, left);
        List<Kind> kindOf = new ArrayList<>();
        for (Map.Entry<Flaw, Integer> each : count.entrySet()) {
            List<Kind> of = kinds.stream().filter(kind -> kind.flaw() == each.getKey()).toList();
            for (int number = 0; number < each.getValue(); number++) {
                kindOf.add(of.get(number % of.size()));
            }
        }
        List<Kind> shuffled = shuffled(kindOf, new Chance(settings.seed(), SERVICES + 10));
        List<Kind> spread = kinds.stream().filter(kind -> kind.flaw() == Flaw.SPREAD).toList();
        List<Kind> dealt = new ArrayList<>();
        for (int number = 0; number < settings.services(); number++) {
            dealt.add(
                    isSpread(number)
                            ? spread.get(number / LEGACY_ONE_IN / 2 % spread.size())
                            : shuffled.remove(shuffled.size() - 1));
        }
        return dealt;
    }

    private static <T> List<T> shuffled(List<T> sorted, Chance chance) {
        List<T> shuffled = new ArrayList<>(sorted);
        for (int last = shuffled.size() - 1; last > 0; last--) {
            java.util.Collections.swap(shuffled, last, chance.below(last + 1));
        }
        return shuffled;
    }

    /** A few large services and many small ones, as fleets are; the sum is as asked. */
    private int[] shardsOfEachService(List<Kind> kindOf, Chance chance) {
        double[] weights = new double[kindOf.size()];
        double sum = 0;
        for (int number = 0; number < weights.length; number++) {
            Flaw flaw = kindOf.get(number).flaw();
            boolean small = flaw == Flaw.TINY || flaw == Flaw.INTENDED;
            double weight = StrictMath.exp(0.8 * chance.gaussian());
            weights[number] = small ? 0 : weight;
            sum += weights[number];
        }
        int left = settings.shards() - 2 * weights.length;
        int[] shards = new int[weights.length];
        int given = 0;
        int largest = 0;
        for (int number = 0; number < weights.length; number++) {
            shards[number] = 2 + (int) (left * weights[number] / sum);
            given += shards[number];
            largest = shards[number] > shards[largest] ? number : largest;
        }
        shards[largest] += settings.shards() - given;
        return shards;
    }

    private List<List<Host>> hosts(int[] shardsPerCluster) {
        List<List<Host>> hosts = new ArrayList<>();
        int number = 0;
        for (int cluster = 0; cluster < shardsPerCluster.length; cluster++) {
            List<KernelMix> mix = cluster == 2 ? LEGACY_KERNELS : KERNELS;
            int count = 1 + shardsPerCluster[cluster] / FleetSettings.SHARDS_PER_HOST;
            List<Host> some = new ArrayList<>();
            for (int index = 0; index < count; index++, number++) {
                some.add(
                        new Host(
                                number,
                                String.format(Locale.ROOT, "sim-host-%04d", number),
                                CLUSTERS.get(cluster),
                                mix.get(index % mix.size()),
                                CPUS,
                                settings.startUs() - FleetSettings.HOUR_US + number,
                                cluster != 2 && index == 0));
            }
            hosts.add(some);
        }
        return hosts;
    }

    private Service service(int number, Kind kind, int shards, List<Host> hosts, Chance chance) {
        String name =
                String.format(Locale.ROOT, "%s-%03d", NAMES.get(number % NAMES.size()), number);
        Chance places = new Chance(settings.seed(), PLACES + 1_000L * number);
        List<ShardPlace> placed = new ArrayList<>();
        int first = places.below(hosts.size());
        for (int shard = 0; shard < shards; shard++) {
            // One shard after another on the next host, as schedulers spread them.
            Host host = hosts.get((first + shard) % hosts.size());
            long shardId = Chance.mixed(settings.seed() + number, PLACES + shard) >>> 1;
            String shardName = String.format(Locale.ROOT, "%s-%d", name, shard);
            int offset = LEVEL_OFFSETS[places.below(LEVEL_OFFSETS.length)];
            placed.add(new ShardPlace(shard, shardName, shardId, host, offset));
        }
        Swing swing =
                new Swing(
                        kind.meanLoad() * chance.uniform(0.9, 1.1),
                        chance.uniform(0.15, 0.4),
                        cluster(number) == 1 ? chance.uniform(19, 22) : chance.uniform(11, 15),
                        chance.uniform(0.6, 0.9),
                        chance.seed());
        return new Service(
                name,
                hosts.get(0).cluster(),
                "team-" + (char) ('a' + number % TEAMS),
                kind,
                placed,
                swing,
                Optional.empty());
    }
}
