package io.quotascope.fleetsim.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotascope.domain.verification.ChangeEvent;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A fleet is what was asked for and holds every flaw, change, kernel and silence. */
final class FleetTest {
    private static final FleetSettings SETTINGS =
            new FleetSettings(11, 200, 5_000, 20_000 * FleetSettings.DAY_US, 7);
    private static final Fleet FLEET = Fleet.draw(SETTINGS);

    @Test
    void sizesAreAsAsked() {
        List<Service> services = FLEET.services();
        assertThat(services).hasSize(200).allMatch(each -> each.shards().size() >= 2);
        assertThat(services.stream().map(Service::name).distinct()).hasSize(200);
        assertThat(services.stream().mapToInt(each -> each.shards().size()).sum()).isEqualTo(5_000);
        assertThat(
                        services.stream()
                                .flatMap(each -> each.shards().stream())
                                .map(ShardPlace::shardId)
                                .distinct())
                .hasSize(5_000);
    }

    @Test
    void everyFlawIsThereInItsShare() {
        for (Flaw flaw : Flaw.values()) {
            double some =
                    FLEET.services().stream().filter(each -> each.kind().flaw() == flaw).count();
            assertThat(some).as(flaw.label()).isPositive();
            if (flaw.share() > 0) {
                assertThat(some).isBetween(150 * flaw.share(), 200 * flaw.share() + 1);
            }
        }
    }

    @Test
    void changesAreInjectedWhereTheyBelong() {
        Set<ChangeEvent.Kind> kinds = EnumSet.noneOf(ChangeEvent.Kind.class);
        for (Service service : FLEET.services()) {
            if (service.change().isEmpty()) {
                continue;
            }
            Change change = service.change().get();
            kinds.add(change.kind());
            assertThat(change.atUs()).isBetween(SETTINGS.startUs(), SETTINGS.endUs());
            assertThat(change.atUs() % 60_000_000).isZero();
            assertThat(service.settingAt(change.atUs() - 1)).isEqualTo(change.before());
            assertThat(service.settingAt(change.atUs())).isEqualTo(change.after());
            // What the stream cannot show is declared, and the rest is not.
            assertThat(change.before().bandwidth().equals(change.after().bandwidth()))
                    .isEqualTo(change.declared());
        }
        assertThat(kinds)
                .containsExactlyInAnyOrder(
                        ChangeEvent.Kind.DEPLOY,
                        ChangeEvent.Kind.POOLS,
                        ChangeEvent.Kind.PERIOD,
                        ChangeEvent.Kind.QUOTA);
    }

    @Test
    void kernelsOfOldAndNewAndBothSilencesAreThere() {
        assertThat(FLEET.hosts().stream().map(Host::kernel).collect(Collectors.toSet()))
                .containsExactlyInAnyOrder(KernelMix.values());
        assertThat(FLEET.silences().stream().map(Silence::whole).distinct()).hasSize(2);
        assertThat(FLEET.hosts().stream().filter(Host::noisy)).isNotEmpty();
    }

    @Test
    void theSameSeedIsTheSameFleetAndAnotherIsNot() {
        assertThat(Fleet.draw(SETTINGS)).isEqualTo(FLEET);
        FleetSettings other = new FleetSettings(12, 200, 5_000, SETTINGS.startUs(), 7);
        assertThat(Fleet.draw(other).services()).isNotEqualTo(FLEET.services());
    }

    @Test
    void loadSwingsByDayAndWeek() {
        Swing swing = new Swing(0.4, 0.5, 12, 0.5, 1);
        // Day 0 was a Thursday; day 3 is a Sunday.
        double noon = mean(swing, 12);
        assertThat(noon).isBetween(0.55, 0.65);
        assertThat(mean(swing, 0)).isBetween(0.17, 0.23);
        assertThat(mean(swing, 3 * 24 + 12)).isBetween(noon * 0.44, noon * 0.56);
    }

    private static double mean(Swing swing, int hour) {
        double sum = 0;
        for (int minute = 0; minute < 60; minute++) {
            sum += swing.load((hour * 60L + minute) * 60_000_000L);
        }
        return sum / 60;
    }

    @Test
    void impossibleFleetsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FleetSettings(1, 6, 100, 0, 1))
                .withMessageContaining("at least 7 services");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FleetSettings(1, 10, 100, 1, 1))
                .withMessageContaining("full hour");
    }
}
