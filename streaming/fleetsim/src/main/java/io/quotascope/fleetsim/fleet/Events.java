package io.quotascope.fleetsim.fleet;

import io.quotascope.domain.verification.ChangeEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Draws what happens to a fleet: changes of services and silences of hosts. */
final class Events {
    private static final long MINUTE_US = 60_000_000;
    private static final long STREAM = 5;

    /** Changes happen in this part of the time, so that both sides have days. */
    private static final double FIRST = 0.45;

    private static final double LAST = 0.6;

    /** Of the services of a flaw, one in so many is changed. */
    private static final int ONE_IN = 3;

    private static final int HEALTHY_ONE_IN = 6;
    private static final long SHORT_PERIOD_US = 20_000;

    /** Of the hosts, one in so many falls silent in part or whole for hours. */
    private static final int SILENT_ONE_IN = 25;

    private final FleetSettings settings;
    private final List<Service> services;
    private final List<Host> hosts;
    private final Chance chance;

    Events(FleetSettings settings, List<Service> services, List<Host> hosts) {
        this.settings = settings;
        this.services = services;
        this.hosts = hosts;
        chance = new Chance(settings.seed(), STREAM);
    }

    /** The services, some of them with a change. */
    List<Service> changed() {
        List<Service> changed = new ArrayList<>();
        Map<Flaw, Integer> seen = new EnumMap<>(Flaw.class);
        for (Service service : services) {
            Flaw flaw = service.kind().flaw();
            int number = seen.merge(flaw, 1, Integer::sum) - 1;
            int oneIn = flaw == Flaw.NONE ? HEALTHY_ONE_IN : ONE_IN;
            long atUs = instant();
            boolean changes = number % oneIn == 0;
            changed.add(changes ? change(service, number / oneIn, atUs) : service);
        }
        return changed;
    }

    private long instant() {
        double share = chance.uniform(FIRST, LAST);
        return settings.startUs()
                + (long) (share * settings.days() * FleetSettings.DAY_US) / MINUTE_US * MINUTE_US;
    }

    private Service change(Service service, int number, long atUs) {
        Setting now = service.kind().setting();
        int oneThreadACore = (int) Math.max(1, Math.round(now.quotaCores()));
        return switch (service.kind().flaw()) {
            case POOL ->
                    with(service, atUs, ChangeEvent.Kind.POOLS, now.withPool(oneThreadACore), true);
            case SMALL_QUOTA ->
                    with(service, atUs, ChangeEvent.Kind.QUOTA, now.withQuota(1.8), false);
            case OVER_RESERVED ->
                    with(service, atUs, ChangeEvent.Kind.QUOTA, now.withQuota(0.4), false);
            case NONE -> healthy(service, number, atUs, now);
            case COLLECTIONS, INTENDED, TINY, SPREAD -> service;
        };
    }

    /** Deploys that change nothing, and settings made worse. */
    private static Service healthy(Service service, int number, long atUs, Setting now) {
        return switch (number % 4) {
            case 0, 1 -> with(service, atUs, ChangeEvent.Kind.DEPLOY, now, true);
            case 2 ->
                    with(
                            service,
                            atUs,
                            ChangeEvent.Kind.PERIOD,
                            now.withPeriod(SHORT_PERIOD_US),
                            false);
            default -> with(service, atUs, ChangeEvent.Kind.QUOTA, now.withQuota(0.5), false);
        };
    }

    private static Service with(
            Service service, long atUs, ChangeEvent.Kind kind, Setting after, boolean declared) {
        Setting before = service.kind().setting();
        return service.with(new Change(service.name(), atUs, kind, before, after, declared));
    }

    /** Hours without records, in the middle of the time, and one host that dies at the end. */
    List<Silence> silences() {
        List<Silence> silences = new ArrayList<>();
        for (int number = 0; number < hosts.size(); number += SILENT_ONE_IN) {
            long hours = 2 + chance.below(4);
            long firstHour = 3 + chance.below(Math.max(1, 24 * settings.days() - 12));
            long fromUs = settings.startUs() + firstHour * FleetSettings.HOUR_US;
            long shiftUs = chance.below(60) * MINUTE_US;
            silences.add(
                    new Silence(
                            hosts.get(number),
                            fromUs + shiftUs,
                            fromUs + shiftUs + hours * FleetSettings.HOUR_US,
                            number % (2 * SILENT_ONE_IN) != 0));
        }
        Host dies = hosts.get(hosts.size() / 2);
        long endUs = settings.endUs();
        silences.add(new Silence(dies, endUs - 30 * MINUTE_US, endUs, true));
        return silences;
    }
}
