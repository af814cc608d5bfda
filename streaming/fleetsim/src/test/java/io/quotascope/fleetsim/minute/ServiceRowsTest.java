package io.quotascope.fleetsim.minute;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.FleetSettings;
import io.quotascope.fleetsim.fleet.Service;
import io.quotascope.fleetsim.fleet.Silence;
import io.quotascope.fleetsim.template.Templates;
import io.quotascope.wire.Codecs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fast-forward door's rows are what the rollup makes of the raw door's records. */
final class ServiceRowsTest {
    private static final long DAY_US = FleetSettings.DAY_US;
    private static final long MINUTE_US = 60_000_000;
    private static final FleetSettings SETTINGS = new FleetSettings(7, 12, 40, 20_000 * DAY_US, 2);
    private static final Fleet FLEET = Fleet.draw(SETTINGS);
    private static final Templates TEMPLATES = new Templates(SETTINGS.seed());

    private static List<Long> someMinutes() {
        List<Long> minutes = new ArrayList<>();
        for (int number = 0; number < 40; number++) {
            minutes.add(SETTINGS.startUs() + number * 67L * MINUTE_US);
        }
        FLEET.silences().forEach(silence -> minutes.add(silence.fromUs() + MINUTE_US));
        return minutes;
    }

    @Test
    void rowsAreWhatTheRollupMakesOfTheRecords() {
        int compared = 0;
        for (Service service : FLEET.services().subList(0, 4)) {
            ServiceMinutes minutes = new ServiceMinutes(FLEET, service, TEMPLATES);
            ServiceRows rows = new ServiceRows(minutes);
            for (long minuteUs : someMinutes()) {
                ServiceWindow expected =
                        new ServiceWindow(
                                ServiceRows.rolledUp(minutes, minutes.stateAt(minuteUs), minuteUs),
                                0,
                                ServiceRows.REVISION);
                if (rows.row(minuteUs).isPresent()) {
                    assertThat(rows.row(minuteUs)).contains(expected);
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThan(150);
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherDoesNot() {
        assertThat(bytes(7)).isEqualTo(bytes(7)).isNotEqualTo(bytes(8));
    }

    private static List<String> bytes(long seed) {
        Fleet fleet = Fleet.draw(new FleetSettings(seed, 12, 40, SETTINGS.startUs(), 2));
        Templates templates = new Templates(seed);
        List<String> bytes = new ArrayList<>();
        for (Service service : fleet.services().subList(0, 2)) {
            ServiceRows rows = new ServiceRows(new ServiceMinutes(fleet, service, templates));
            rows.row(SETTINGS.startUs() + 600 * MINUTE_US)
                    .map(Codecs.SERVICE_WINDOWS::encode)
                    .map(java.util.HexFormat.of()::formatHex)
                    .ifPresent(bytes::add);
        }
        return bytes;
    }

    @Test
    void everythingIsLabelledSimulated() {
        Service service = FLEET.services().get(0);
        ServiceMinutes minutes = new ServiceMinutes(FLEET, service, TEMPLATES);
        MinuteState state = minutes.stateAt(SETTINGS.startUs());
        assertThat(minutes.arriving(state, SETTINGS.startUs()))
                .isNotEmpty()
                .allMatch(window -> window.origin() == Origin.SIMULATED);
        assertThat(minutes.statements(state, SETTINGS.startUs()))
                .isNotEmpty()
                .allMatch(statement -> statement.key().origin() == Origin.SIMULATED);
    }

    @Test
    void lossyHostsStateWhatDoesNotComeAndMuteOnesSayNothing() {
        for (Silence silence : FLEET.silences()) {
            Service service =
                    FLEET.services().stream()
                            .filter(
                                    each ->
                                            each.shards().stream()
                                                    .anyMatch(
                                                            shard ->
                                                                    shard.host()
                                                                            .equals(
                                                                                    silence
                                                                                            .host())))
                            .findFirst()
                            .orElseThrow();
            long here =
                    service.shards().stream()
                            .filter(shard -> shard.host().equals(silence.host()))
                            .count();
            ServiceMinutes minutes = new ServiceMinutes(FLEET, service, TEMPLATES);
            ServiceRows rows = new ServiceRows(minutes);
            var reporting =
                    rows.sums(minutes.stateAt(silence.fromUs()), silence.fromUs()).reporting();
            long all = service.shards().size();
            assertThat(reporting.records()).isLessThanOrEqualTo(6 * (all - here));
            assertThat(reporting.expectedRecords())
                    .isLessThanOrEqualTo(6 * (silence.whole() ? all - here : all));
            if (!silence.whole()) {
                assertThat(reporting.completeness().orElseThrow()).isLessThan(1);
            }
        }
    }
}
