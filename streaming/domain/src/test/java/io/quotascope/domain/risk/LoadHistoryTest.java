package io.quotascope.domain.risk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.risk.DeathSpiralRisk.LoadForecast;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Example;

class LoadHistoryTest {
    private static final long HOUR = 3_600_000_000L;
    private static final long DAY = 24 * HOUR;
    private static final long NOW = 20_003 * DAY + 8 * HOUR;

    /** Days with a peak at noon, weekends at half, an optional trend from day to day, and noise. */
    private static TreeMap<Long, Double> weeks(int days, double dailyTrend, double noise) {
        SplittableRandom random = new SplittableRandom(1);
        TreeMap<Long, Double> peaks = new TreeMap<>();
        for (long hour = NOW - days * DAY; hour < NOW; hour += HOUR) {
            double time = hour % DAY / (double) DAY;
            double swing = 2 - StrictMath.cos(2 * StrictMath.PI * time);
            double weekend = hour / DAY % 7 < 2 ? 0.5 : 1;
            double trend = StrictMath.pow(1 + dailyTrend, (hour - NOW) / (double) DAY);
            peaks.put(
                    hour,
                    4 * swing * weekend * trend * StrictMath.exp(noise * random.nextGaussian()));
        }
        return peaks;
    }

    /** At eight in the morning the swing is 2 - cos(120 degrees) = 2.5, at noon 3. */
    @Example
    void thePeakOfTheDayIsForeseen() {
        LoadForecast day = LoadHistory.forecast(weeks(28, 0, 0), NOW, 4 * 2.5, DAY);
        assertThat(day.growth()).isCloseTo(3 / 2.5, within(1e-6));
        assertThat(day.deviation()).isEqualTo(0.05);
        LoadForecast hour = LoadHistory.forecast(weeks(28, 0, 0), NOW, 4 * 2.5, HOUR);
        assertThat(hour.growth()).isCloseTo(1, within(1e-6));
    }

    @Example
    void aTrendLiftsTheReference() {
        LoadForecast flat = LoadHistory.forecast(weeks(28, 0, 0), NOW, 10, DAY);
        LoadForecast growing = LoadHistory.forecast(weeks(28, 0.02, 0), NOW, 10, DAY);
        assertThat(growing.growth()).isCloseTo(flat.growth(), within(0.05));
        // Without the level a week-old reference would be 1.02^7 = 15 % too low.
    }

    @Example
    void noiseShowsInTheDeviation() {
        double calm = LoadHistory.forecast(weeks(28, 0, 0.05), NOW, 10, DAY).deviation();
        double wild = LoadHistory.forecast(weeks(28, 0, 0.4), NOW, 10, DAY).deviation();
        assertThat(wild).isGreaterThan(2 * calm);
    }

    @Example
    void withoutHistoryNothingIsForeseen() {
        LoadForecast forecast = LoadHistory.forecast(new TreeMap<>(), NOW, 10, DAY);
        assertThat(forecast.growth()).isEqualTo(1);
        assertThat(forecast.deviation()).isEqualTo(0.4);
    }

    @Example
    void aSurgeIsNotExpectedToVanish() {
        assertThat(LoadHistory.forecast(weeks(28, 0, 0), NOW, 40, DAY).growth()).isEqualTo(1);
    }
}
