package io.quotascope.fleetsim.fleet;

/**
 * How the load of one service goes through days and weeks: a daily wave, less at weekends, a slow
 * wander of half an hour and the noise of minutes. A function of the instant alone.
 *
 * @param meanLoad offered cores / quota cores of its kind
 * @param dayAmplitude height of the daily wave, 0..1
 * @param peakHour hour of the day (UTC) of its crest
 * @param weekendFactor load on Saturdays and Sundays / load on other days
 * @param seed seed of the noise
 */
public record Swing(
        double meanLoad, double dayAmplitude, double peakHour, double weekendFactor, long seed) {
    private static final long MINUTE_US = 60_000_000;
    private static final long WANDER_US = 30 * MINUTE_US;
    private static final double WANDER_SD = 0.05;
    private static final double NOISE_SD = 0.05;

    /** 1 January 1970 was a Thursday. */
    private static final int EPOCH_WEEKDAY = 3;

    private static final int SATURDAY = 5;

    /** Offered cores / quota cores in a minute. */
    public double load(long minuteUs) {
        double hour = minuteUs % FleetSettings.DAY_US / (double) FleetSettings.HOUR_US;
        double wave = StrictMath.cos(2 * StrictMath.PI * (hour - peakHour) / 24);
        long weekday = (minuteUs / FleetSettings.DAY_US + EPOCH_WEEKDAY) % 7;
        double week = weekday >= SATURDAY ? weekendFactor : 1;
        double noise =
                WANDER_SD * Chance.gaussian(seed, minuteUs / WANDER_US)
                        + NOISE_SD * Chance.gaussian(seed + 1, minuteUs / MINUTE_US);
        return meanLoad * (1 + dayAmplitude * wave) * week * StrictMath.exp(noise);
    }
}
