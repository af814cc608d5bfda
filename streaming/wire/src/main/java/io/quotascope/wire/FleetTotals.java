package io.quotascope.wire;

import io.quotascope.domain.analysis.Estimate;
import io.quotascope.domain.analysis.FleetBalance;
import io.quotascope.domain.analysis.FleetInstant;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.domain.analysis.FleetTotal;
import io.quotascope.domain.savings.FleetSavings;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.avro.SavingsEstimate;
import java.util.Optional;
import java.util.OptionalDouble;

/** Rows of table fleet_totals, and what they take from rows of savings_estimates. */
public final class FleetTotals {
    private static final int REVISION_SHIFT = 32;

    private FleetTotals() {}

    /** What totals take from an estimate; absent from a set that is not the one to make. */
    public static Optional<FleetPart> part(SavingsEstimate avro) {
        if (!avro.getBest()) {
            return Optional.empty();
        }
        boolean known = avro.getRightSizingCores() != null;
        Optional<Estimate> rightSizing =
                known
                        ? Optional.of(
                                new Estimate(
                                        avro.getRightSizingCores(),
                                        avro.getRightSizingCoresLow(),
                                        avro.getRightSizingCoresHigh()))
                        : Optional.empty();
        boolean fixes =
                known
                        && avro.getGain() != null
                        && avro.getGainLogDeviation() != null
                        && avro.getReclaimableCores() > 0;
        return Optional.of(
                new FleetPart(
                        new ServiceKey(
                                Nullable.origin(avro.getOrigin()),
                                avro.getCluster(),
                                avro.getService(),
                                avro.getQuotaClass()),
                        Optional.ofNullable(avro.getTeam()),
                        avro.getAnalysedAtUs(),
                        avro.getPart(),
                        Nullable.optional(avro.getReservedCoresTotal()),
                        rightSizing,
                        FleetPart.taken(rightSizing).or(() -> FleetPart.taken(byFixes(avro))),
                        fixes
                                ? Optional.of(
                                        new FleetSavings.Part(
                                                gain(avro),
                                                avro.getGainLogDeviation(),
                                                need(avro),
                                                avro.getFloorCores(),
                                                avro.getKappaMeasured(),
                                                1))
                                : Optional.empty(),
                        usdPerCore(avro)));
    }

    private static Optional<Estimate> byFixes(SavingsEstimate avro) {
        return avro.getReclaimableCores() == null
                ? Optional.empty()
                : Optional.of(
                        new Estimate(
                                avro.getReclaimableCores(),
                                avro.getReclaimableCoresLow(),
                                avro.getReclaimableCoresHigh()));
    }

    /** Cores that stay without fixes: of what is missing already nothing can be given back. */
    private static double need(SavingsEstimate avro) {
        return Math.min(avro.getNeedCores(), avro.getReservedCoresTotal());
    }

    /**
     * The gain that the freed cores amount to: less than that of the fixes where their replay, or
     * rounding up to whole CPUs, keeps more than need and gain ask for.
     */
    private static double gain(SavingsEstimate avro) {
        double kept = need(avro) - avro.getReclaimableCores();
        boolean floorDecides = kept <= avro.getFloorCores() * (1 + 1e-9);
        return floorDecides ? avro.getGain() : need(avro) / kept;
    }

    /** The price that the estimate used, by whichever of its figures has both cores and money. */
    private static OptionalDouble usdPerCore(SavingsEstimate avro) {
        if (avro.getSavingsUsdPerYear() != null && avro.getReclaimableCores() != 0) {
            return OptionalDouble.of(avro.getSavingsUsdPerYear() / avro.getReclaimableCores());
        }
        if (avro.getRightSizingUsdPerYear() != null && avro.getRightSizingCores() != 0) {
            return OptionalDouble.of(avro.getRightSizingUsdPerYear() / avro.getRightSizingCores());
        }
        return OptionalDouble.empty();
    }

    /** The row as it is stored. */
    public static io.quotascope.wire.avro.FleetTotal toAvro(FleetTotal total, long revision) {
        io.quotascope.wire.avro.FleetTotal avro = new io.quotascope.wire.avro.FleetTotal();
        avro.setOrigin(Nullable.origin(total.origin()));
        avro.setTotalOf(total.of().label());
        avro.setTotalName(total.name());
        avro.setCluster(total.of() == FleetTotal.Of.CLUSTER ? total.name() : null);
        avro.setTeam(total.of() == FleetTotal.Of.TEAM ? total.name() : null);
        avro.setWindowStartUs(total.analysedAtUs() - FleetInstant.INTERVAL_US);
        avro.setVersion((revision << REVISION_SHIFT) + total.evidence());
        avro.setServices(total.services());
        avro.setUnknownClasses(total.unknown());
        avro.setUnpricedClasses(total.unpriced());
        avro.setReservedCoresTotal(total.reservedCores());
        avro.setRightSizingCores(total.rightSizing().value());
        avro.setRightSizingCoresLow(total.rightSizing().low());
        avro.setRightSizingCoresHigh(total.rightSizing().high());
        avro.setReclaimableCores(total.reclaimable().value());
        avro.setReclaimableCoresLow(total.reclaimable().low());
        avro.setReclaimableCoresHigh(total.reclaimable().high());
        avro.setSavingsUsdPerYear(total.usdPerYear().map(Estimate::value).orElse(null));
        avro.setSavingsUsdPerYearLow(total.usdPerYear().map(Estimate::low).orElse(null));
        avro.setSavingsUsdPerYearHigh(total.usdPerYear().map(Estimate::high).orElse(null));
        avro.setReasons(total.reasons());
        setBalance(avro, total);
        return avro;
    }

    private static void setBalance(io.quotascope.wire.avro.FleetTotal avro, FleetTotal total) {
        avro.setShortClasses(total.shortOf());
        FleetBalance cores = total.cores();
        avro.setFreedCores(cores.freed().value());
        avro.setFreedCoresLow(cores.freed().low());
        avro.setFreedCoresHigh(cores.freed().high());
        avro.setNeededCores(cores.needed().value());
        avro.setNeededCoresLow(cores.needed().low());
        avro.setNeededCoresHigh(cores.needed().high());
        avro.setNetCores(cores.net().value());
        avro.setNetCoresLow(cores.net().low());
        avro.setNetCoresHigh(cores.net().high());
        Optional<Estimate> usd = total.usd().map(FleetBalance::net);
        avro.setNetUsdPerYear(usd.map(Estimate::value).orElse(null));
        avro.setNetUsdPerYearLow(usd.map(Estimate::low).orElse(null));
        avro.setNetUsdPerYearHigh(usd.map(Estimate::high).orElse(null));
    }
}
