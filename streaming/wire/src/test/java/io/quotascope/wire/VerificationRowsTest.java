package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.verification.VerifiedChange.Outcome;
import io.quotascope.domain.verification.VerifiedChange.Realised;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.avro.Verification;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Which price a row has: the promise's, the one of the change, none, or nothing to price. */
class VerificationRowsTest {
    private static final long CHANGE_US = 1_767_225_600_000_000L;
    private static final PriceBook BOOK =
            new PriceBook(
                    7,
                    List.of(
                            new PriceBook.Price(
                                    PriceBook.DEFAULT_CLASS,
                                    CHANGE_US,
                                    200,
                                    1,
                                    0.25,
                                    Optional.empty(),
                                    Optional.empty())),
                    Optional.empty());

    private static Verification row(Optional<Realised> realised, Optional<Recommendation> entry) {
        ChangeEvent change =
                ChangeEvent.declared(
                        Origin.MEASURED,
                        "lab",
                        "checkout",
                        CHANGE_US,
                        ChangeEvent.Kind.QUOTA,
                        Optional.of("r"),
                        ChangeEvent.Wording.NONE);
        VerifiedChange judged =
                new VerifiedChange(
                        change,
                        24,
                        CHANGE_US,
                        false,
                        Outcome.VERIFIED,
                        List.of(),
                        realised,
                        List.of("because"));
        HourReading newest =
                new HourReading(
                        new ServiceKey(Origin.MEASURED, "lab", "checkout", "2000m/100ms"),
                        CHANGE_US,
                        0,
                        1,
                        36_000,
                        0,
                        4,
                        OptionalDouble.of(10),
                        3_600,
                        3_600,
                        "payments",
                        3);
        return Verifications.toAvro(judged, newest, OptionalDouble.of(1), entry, 1);
    }

    private static Recommendation accepted(Optional<Forecast.Money> money) throws Exception {
        return Recommendation.propose(
                        new Advice(
                                Origin.MEASURED,
                                "lab",
                                "checkout",
                                Optional.empty(),
                                "r",
                                List.of("pools"),
                                "text"),
                        new Forecast(
                                OptionalDouble.of(10),
                                Optional.of(new Predicted(4, 2, 8)),
                                money,
                                List.of()),
                        1,
                        Optional.of("me"))
                .accept(
                        List.of(),
                        "me",
                        new Recommendation.Step(2, Optional.of("me"), Optional.empty()));
    }

    private static final Optional<Realised> TWO = Optional.of(new Realised(2, 1, 3));

    @Test
    void anAcceptedOneKeepsItsPriceWhateverTheBookSays() throws Exception {
        Verification row =
                row(
                        TWO,
                        Optional.of(
                                accepted(
                                        Optional.of(
                                                new Forecast.Money(
                                                        new Predicted(400, 0, 900), 3)))));
        assertThat(Verifications.lackPrice(row)).isFalse();
        assertThat(Verifications.priced(row, BOOK, Optional.empty())).isEqualTo(row);
        assertThat(row.getPricedBy()).isEqualTo("acceptance");
        assertThat(row.getRealisedUsdPerYear()).isEqualTo(200);
        assertThat(row.getPriceBookVersion()).isEqualTo(3);
        assertThat(row.getPredictedCores()).isEqualTo(4);
    }

    @Test
    void anyOtherHasTheOneInForceAtTheChange() throws Exception {
        for (Optional<Recommendation> entry :
                List.of(
                        Optional.<Recommendation>empty(),
                        Optional.of(accepted(Optional.empty())))) {
            Verification row = row(TWO, entry);
            assertThat(row.getPricedBy()).isEqualTo("no_price");
            Verification priced = Verifications.priced(row, BOOK, Optional.empty());
            assertThat(priced.getPricedBy()).isEqualTo("change");
            assertThat(priced.getRealisedUsdPerYear()).isEqualTo(300);
            assertThat(priced.getRealisedUsdPerYearLow()).isEqualTo(150);
            assertThat(priced.getRealisedUsdPerYearHigh()).isEqualTo(450);
            assertThat(priced.getPriceBookVersion()).isEqualTo(7);
            assertThat(Verifications.priced(row, BOOK, Optional.of("gpu"))).isEqualTo(row);
        }
    }

    @Test
    void whatRealisedNothingLacksNoPrice() {
        Verification row = row(Optional.empty(), Optional.empty());
        assertThat(Verifications.lackPrice(row)).isFalse();
        assertThat(row.getPricedBy()).isNull();
        assertThat(Verifications.priced(row, BOOK, Optional.empty())).isEqualTo(row);
    }

    @Test
    void oneKeyIsOneChange() {
        assertThat(Verifications.keyOf(row(TWO, Optional.empty())))
                .isEqualTo("measured\nlab\ncheckout\n" + row(TWO, Optional.empty()).getChangeId());
    }
}
