package io.quotascope.domain.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.window.Bandwidth;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReservedCoresTest {
    private static ServiceCatalogEntry entry(
            long version, OptionalLong millicores, boolean deleted) {
        return new ServiceCatalogEntry(
                "lab",
                "checkout",
                version,
                Optional.of("payments"),
                Optional.empty(),
                millicores,
                Optional.empty(),
                new ServiceCatalogEntry.ClientPolicy(
                        OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty()),
                OptionalLong.empty(),
                OptionalInt.empty(),
                deleted);
    }

    @Test
    void theCatalogSpeaksBeforeTheQuota() {
        Optional<ServiceCatalogEntry> entry = Optional.of(entry(1, OptionalLong.of(1250), false));
        assertThat(ReservedCores.of(entry, Bandwidth.of(200_000, 100_000)))
                .isEqualTo(new ReservedCores.OfCatalog(1.25));
        assertThat(ReservedCores.of(entry, Bandwidth.NONE).cores()).hasValue(1.25);
    }

    @Test
    void theQuotaCountsWhereTheCatalogIsSilent() {
        Optional<ServiceCatalogEntry> silent = Optional.of(entry(1, OptionalLong.empty(), false));
        assertThat(ReservedCores.of(silent, Bandwidth.of(200_000, 100_000)))
                .isEqualTo(new ReservedCores.OfQuota(2.0));
        assertThat(ReservedCores.of(Optional.empty(), Bandwidth.of(50_000, 100_000)).cores())
                .hasValue(0.5);
    }

    @Test
    void withoutEitherItIsUnknownAndNotZero() {
        assertThat(ReservedCores.of(Optional.empty(), Bandwidth.unlimited(100_000)).cores())
                .isEmpty();
        assertThat(ReservedCores.of(Optional.empty(), Bandwidth.NONE))
                .isEqualTo(new ReservedCores.Unknown());
    }

    @Test
    void aWithdrawnEntryIsNone() {
        CatalogView view = new CatalogView(Optional.of(entry(7, OptionalLong.of(1250), true)), 3);
        assertThat(view.entry()).isEmpty();
        assertThat(view.team()).isEmpty();
        assertThat(view.rowVersion()).isEqualTo(3L << 32);
    }

    @Test
    void aLaterCatalogOrRevisionReplaces() {
        CatalogView older = new CatalogView(Optional.of(entry(7, OptionalLong.of(1), false)), 1);
        CatalogView newer = new CatalogView(Optional.of(entry(8, OptionalLong.of(1), false)), 1);
        CatalogView recomputed =
                new CatalogView(Optional.of(entry(1, OptionalLong.of(1), false)), 2);
        assertThat(newer.rowVersion()).isGreaterThan(older.rowVersion());
        assertThat(recomputed.rowVersion()).isGreaterThan(newer.rowVersion());
    }

    @Test
    void entriesThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> entry(0, OptionalLong.empty(), false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> entry(1, OptionalLong.of(0), false))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
