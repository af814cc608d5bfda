package io.quotascope.domain.alert;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.risk.RiskBand;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.window.ServiceSums;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What one minute says about the alerts of a service and class.
 *
 * @param subject service and class
 * @param context what rows say beside alerts
 * @param minuteUs start of the minute, microseconds since the Unix epoch
 * @param readings one for each kind that the minute says something about
 */
public record ServiceReadings(
        AlertSubject subject, AlertContext context, long minuteUs, List<AlertReading> readings) {
    /** From this share of throttled periods on, threads are taken to be what throttles. */
    private static final double THROTTLED_RATIO_MIN = 0.01;

    /** A list that cannot change any more. */
    public ServiceReadings {
        readings = List.copyOf(readings);
    }

    /** What the windows of a minute say. */
    public static ServiceReadings of(ServiceSums minute, CatalogView catalog) {
        ThreadRatio ratio = ThreadRatio.judge(minute, 0, catalog);
        return new ServiceReadings(
                AlertSubject.of(minute.key()),
                AlertContext.of(ratio.scope()),
                minute.windowStartUs(),
                List.of(threads(minute, ratio)));
    }

    /** What the judgement of its cliff says. */
    public static ServiceReadings of(CollapseRisk risk) {
        return new ServiceReadings(
                AlertSubject.of(risk.scope().key()),
                AlertContext.of(risk.scope()),
                risk.scope().windowStartUs(),
                List.of(band(risk), cliff(risk)));
    }

    private static AlertReading threads(ServiceSums minute, ThreadRatio ratio) {
        OptionalDouble perCore = ratio.threads().p99();
        OptionalDouble throttled = minute.throttling().throttledPeriodRatio();
        if (perCore.isEmpty() || throttled.isEmpty()) {
            return AlertReading.absent(AlertKind.SHARD_THREADS);
        }
        if (throttled.getAsDouble() < THROTTLED_RATIO_MIN) {
            return AlertReading.of(
                    AlertKind.SHARD_THREADS, 0, List.of("the service is not throttled"));
        }
        if (ratio.runnable().p99().isPresent() && ratio.runnable().p99().getAsDouble() <= 1) {
            return AlertReading.of(
                    AlertKind.SHARD_THREADS,
                    0,
                    List.of("no more threads want to run than there are reserved cores"));
        }
        List<String> reasons = new ArrayList<>();
        reasons.add(
                words(
                        "%.1f threads of a shard for each reserved core (99th percentile)",
                        perCore.getAsDouble()));
        ratio.runnable()
                .p99()
                .ifPresent(
                        runnable ->
                                reasons.add(words("%.1f of them want to run at once", runnable)));
        reasons.add(words("%.1f %% of periods are throttled", 100 * throttled.getAsDouble()));
        return AlertReading.of(AlertKind.SHARD_THREADS, perCore.getAsDouble(), reasons);
    }

    private static AlertReading band(CollapseRisk risk) {
        if (risk.band() == RiskBand.UNKNOWN) {
            return AlertReading.absent(AlertKind.VULNERABLE);
        }
        List<String> reasons = new ArrayList<>();
        reasons.add("the load lies in the band " + risk.band().label());
        if (risk.band() == RiskBand.VULNERABLE) {
            risk.cliff().map(ServiceReadings::metastable).ifPresent(reasons::add);
        }
        reasons.addAll(risk.reasons());
        return AlertReading.of(AlertKind.VULNERABLE, level(risk.band()), reasons);
    }

    /** Why a service that is far from its cliff is vulnerable all the same. */
    private static String metastable(AnalysedCliff known) {
        return String.format(
                Locale.ROOT,
                "steady load collapses it at %.2f times this minute's; once a pulse has, it recovers only below %.2f times",
                known.cliff().service().value(),
                known.recovery().value());
    }

    private static double level(RiskBand band) {
        return switch (band) {
            case STABLE -> 0;
            case VULNERABLE -> 1;
            case COLLAPSED -> 2;
            case UNKNOWN -> throw new IllegalArgumentException("an unknown band has no level");
        };
    }

    private static AlertReading cliff(CollapseRisk risk) {
        OptionalDouble headroom = risk.headroom();
        if (headroom.isEmpty()) {
            return AlertReading.absent(AlertKind.CLIFF_NEAR);
        }
        String expected =
                words(
                        "collapse is expected at %.2f times this minute's load",
                        headroom.getAsDouble());
        List<String> reasons = new ArrayList<>(risk.reasons());
        // An alarm of the minute says it already.
        reasons.remove(expected);
        reasons.add(0, expected);
        return new AlertReading(AlertKind.CLIFF_NEAR, headroom, reasons);
    }

    private static String words(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
