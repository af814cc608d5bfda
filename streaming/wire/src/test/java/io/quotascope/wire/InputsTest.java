package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.Forecast.PredictedEffect;
import io.quotascope.domain.ledger.IllegalStepException;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.load.LatencyCounts;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.load.ServiceLoad.Failures;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.PriceBook.Packing;
import io.quotascope.domain.savings.PriceBook.Price;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.ChangeEvent.Kind;
import io.quotascope.domain.verification.ChangeEvent.Wording;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.RefusalReason;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import net.jqwik.api.Example;

/** What people and other systems tell goes over the wire and comes back as it was. */
class InputsTest {
    private static final Forecast FORECAST =
            new Forecast(
                    OptionalDouble.of(10),
                    Optional.of(new Predicted(4, 3, 5)),
                    Optional.of(new Money(new Predicted(400, 300, 500), 7)),
                    List.of(new PredictedEffect("used_cores", new Predicted(-0.1, -0.2, 0))));
    private static final Advice ADVICE =
            new Advice(
                    Origin.MEASURED,
                    "c",
                    "s",
                    Optional.of("2000m/100ms"),
                    "r-1",
                    List.of("thread pools", "burst"),
                    "20 threads");

    private static <D> void comesBack(RecordCodec<D> codec, D value) {
        assertThat(codec.decode(codec.encode(value)).orElseThrow()).isEqualTo(value);
    }

    @Example
    void aPriceBookComesBack() {
        Price bare = new Price("default", 0, 400, 40, 0, Optional.empty(), Optional.empty());
        Price full =
                new Price(
                        "spot",
                        1_000,
                        100,
                        10,
                        0.3,
                        Optional.of(2_000L),
                        Optional.of(new Packing(64, 0.8)));
        comesBack(Codecs.PRICE_BOOKS, new PriceBook(3, List.of(bare, full), Optional.of("list")));
    }

    @Example
    void aChangeEventComesBackWhateverItsKind() {
        for (Kind kind : Kind.values()) {
            ChangeEvent told =
                    ChangeEvent.declared(
                            Origin.SIMULATED, "c", "s", 5, kind, Optional.of("r"), Wording.NONE);
            comesBack(Codecs.CHANGE_EVENTS, told);
            comesBack(Codecs.CHANGE_EVENTS, told.withdraw());
        }
        comesBack(
                Codecs.CHANGE_EVENTS,
                ChangeEvent.detected(
                        Origin.MEASURED,
                        "c",
                        "s",
                        Optional.of("2000m/100ms"),
                        5,
                        Kind.QUOTA,
                        Wording.ofSetting("2000m/100ms", "3000m/100ms")));
    }

    @Example
    void aRecommendationComesBackInEveryState() throws IllegalStepException {
        Recommendation proposed = Recommendation.propose(ADVICE, FORECAST, 1, Optional.empty());
        Recommendation.Step step =
                new Recommendation.Step(2, Optional.of("me"), Optional.of("because"));
        Recommendation accepted = proposed.accept(List.of(), "owner", step);
        assertThat(accepted.credited().cores()).isEqualTo(4);
        Recommendation applied = accepted.apply(step);
        for (Recommendation each :
                List.of(
                        proposed,
                        accepted,
                        applied,
                        proposed.reject(step),
                        applied.verify(step),
                        applied.regress(step))) {
            comesBack(Codecs.RECOMMENDATIONS, each);
        }
        Forecast nothing =
                new Forecast(OptionalDouble.empty(), Optional.empty(), Optional.empty(), List.of());
        comesBack(
                Codecs.RECOMMENDATIONS,
                Recommendation.propose(ADVICE, nothing, 1, Optional.of("me")));
    }

    @Example
    void aMinuteOfLoadComesBack() {
        comesBack(
                Codecs.SERVICE_LOADS,
                new ServiceLoad(
                        Origin.MEASURED,
                        "c",
                        "s",
                        60_000_000,
                        "csv",
                        12,
                        new Failures(OptionalLong.of(2), OptionalLong.of(1), OptionalLong.of(0)),
                        new LatencyCounts(List.of(5_000L, 10_000L), List.of(9L, 2L, 1L)),
                        2));
        comesBack(
                Codecs.SERVICE_LOADS,
                new ServiceLoad(
                        Origin.REPLAYED,
                        "c",
                        "s",
                        0,
                        "prometheus",
                        0,
                        Failures.NOT_COUNTED,
                        LatencyCounts.NONE,
                        1));
    }

    @Example
    void whatTheDomainRefusesIsRefusedAndDoesNotThrow() {
        io.quotascope.wire.avro.PriceBook euros =
                PriceBooks.toAvro(new PriceBook(1, List.of(), Optional.empty()));
        euros.setCurrency("EUR");
        refused(
                Codecs.PRICE_BOOKS.decode(
                        new SingleObject<>(io.quotascope.wire.avro.PriceBook.class, "price_book")
                                .encode(euros)),
                "currency must be USD");
        io.quotascope.wire.avro.Recommendation priceless =
                Recommendations.toAvro(
                        Recommendation.propose(ADVICE, FORECAST, 1, Optional.empty()));
        priceless.setPriceBookVersion(null);
        refused(
                Codecs.RECOMMENDATIONS.decode(
                        new SingleObject<>(
                                        io.quotascope.wire.avro.Recommendation.class,
                                        "recommendation")
                                .encode(priceless)),
                "price_book_version");
    }

    private static void refused(Decoded<?> decoded, String detail) {
        assertThat(decoded)
                .isInstanceOfSatisfying(
                        Decoded.Refused.class,
                        it -> {
                            assertThat(it.refusal().reason()).isEqualTo(RefusalReason.UNDECODABLE);
                            assertThat(it.refusal().detail()).contains(detail);
                        });
    }
}
