package io.quotascope.domain.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.ledger.Forecast.Money;
import io.quotascope.domain.ledger.Forecast.Predicted;
import io.quotascope.domain.ledger.RealisedWorth.PricedBy;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.PriceBook.Price;
import io.quotascope.domain.verification.VerifiedChange.Realised;
import io.quotascope.domain.window.Origin;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.Example;

class RealisedWorthTest {
    private static final Realised TWO = new Realised(2, 1, 3);
    private static final Recommendation.Step STEP =
            new Recommendation.Step(20, Optional.of("me"), Optional.of("because"));

    /** Four cores for 400 dollars, by book 3: a core is worth 100. */
    private static Recommendation proposed(Optional<Money> money) {
        return Recommendation.propose(
                new Advice(
                        Origin.MEASURED, "c", "s", Optional.empty(), "r", List.of("pools"), "text"),
                new Forecast(
                        OptionalDouble.of(10),
                        Optional.of(new Predicted(4, 2, 8)),
                        money,
                        List.of()),
                10,
                Optional.of("me"));
    }

    private static Recommendation proposed() {
        return proposed(Optional.of(new Money(new Predicted(400, 0, 900), 3)));
    }

    private static Recommendation accepted() throws IllegalStepException {
        return proposed().accept(List.of(), "me", STEP);
    }

    @Example
    void whatWasAcceptedHasThePriceThatWasFrozen() throws IllegalStepException {
        RealisedWorth frozen = new RealisedWorth(200, 100, 300, 3, PricedBy.ACCEPTANCE);
        Recommendation applied = accepted().apply(STEP);
        for (Recommendation entry :
                List.of(accepted(), applied, applied.verify(STEP), applied.regress(STEP))) {
            assertThat(RealisedWorth.asPromised(TWO, entry)).contains(frozen);
        }
    }

    @Example
    void nothingIsFrozenThatNobodyAcceptedOrThatWasRefusedInTheEnd() throws IllegalStepException {
        assertThat(RealisedWorth.asPromised(TWO, proposed())).isEmpty();
        assertThat(RealisedWorth.asPromised(TWO, proposed().reject(STEP))).isEmpty();
        assertThat(RealisedWorth.asPromised(TWO, accepted().reject(STEP))).isEmpty();
        Recommendation priceless =
                proposed(Optional.empty()).accept(List.of(), "me", STEP).apply(STEP);
        assertThat(RealisedWorth.asPromised(TWO, priceless)).isEmpty();
    }

    @Example
    void whatNobodyProposedHasThePriceInForceAtTheChange() {
        PriceBook book =
                new PriceBook(
                        7,
                        List.of(
                                price("default", 0, 100, 0),
                                price("default", 1_000, 200, 0.25),
                                price("default", 2_000, 900, 0),
                                price("gpu", 0, 1_000, 0)),
                        Optional.empty());
        assertThat(RealisedWorth.atChange(TWO, book, Optional.empty(), 1_500))
                .contains(new RealisedWorth(300, 150, 450, 7, PricedBy.CHANGE));
        assertThat(RealisedWorth.atChange(TWO, book, Optional.empty(), 999))
                .contains(new RealisedWorth(200, 100, 300, 7, PricedBy.CHANGE));
        assertThat(RealisedWorth.atChange(TWO, book, Optional.of("gpu"), 1_500))
                .contains(new RealisedWorth(2_000, 1_000, 3_000, 7, PricedBy.CHANGE));
        assertThat(RealisedWorth.atChange(TWO, book, Optional.of("arm"), 1_500)).isEmpty();
    }

    @Example
    void coresThatAChangeTookAreALoss() {
        PriceBook book = new PriceBook(7, List.of(price("default", 0, 100, 0)), Optional.empty());
        assertThat(RealisedWorth.atChange(new Realised(-2, -3, -1), book, Optional.empty(), 1))
                .contains(new RealisedWorth(-200, -300, -100, 7, PricedBy.CHANGE));
    }

    private static Price price(String priceClass, long fromUs, double usd, double discount) {
        return new Price(priceClass, fromUs, usd, 1, discount, Optional.empty(), Optional.empty());
    }
}
