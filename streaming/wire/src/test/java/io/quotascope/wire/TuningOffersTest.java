package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.wire.avro.Aim;
import io.quotascope.wire.avro.AnalysisTrigger;
import io.quotascope.wire.avro.Origin;
import io.quotascope.wire.avro.SavingsEstimate;
import io.quotascope.wire.avro.TrustVerdict;
import java.util.List;
import net.jqwik.api.Example;

/** What the ranking takes from a savings estimate: the whole change, with what moves the cliff. */
class TuningOffersTest {
    private static SavingsEstimate estimate() {
        SavingsEstimate row = new SavingsEstimate();
        row.setOrigin(Origin.simulated);
        row.setCluster("lab");
        row.setService("checkout");
        row.setQuotaClass("200m/100ms");
        row.setFixSet("thread pools");
        row.setVersion((3L << 32) + 7);
        row.setAnalysisTrigger(AnalysisTrigger.cadence);
        row.setTrust(TrustVerdict.doubtful);
        row.setReasons(List.of("a figure", "one reason"));
        row.setTrustReasons(List.of("one reason"));
        row.setAim(Aim.savings);
        row.setNeeds(List.of());
        row.setRightSizingCoresLow(1.0);
        row.setRightSizingCores(2.0);
        row.setRightSizingCoresHigh(3.0);
        row.setReclaimableCoresLow(0.5);
        row.setReclaimableCores(1.0);
        row.setReclaimableCoresHigh(4.0);
        return row;
    }

    private static TuningOffer.Savings of(SavingsEstimate row) {
        return (TuningOffer.Savings) TuningOffers.of(row).offer();
    }

    @Example
    void rightSizingAndTuningAreOneChange() {
        TuningOffer.Savings offer = of(estimate());
        assertThat(offer.cores()).contains(new Interval(1.5, 3, 7));
        assertThat(offer.rightSizingCores()).hasValue(2);
        assertThat(offer.usdPerYear()).as("no price").isEmpty();
        assertThat(offer.trust()).isEqualTo(Trust.Verdict.DOUBTFUL);
        assertThat(offer.doubts()).containsExactly("one reason");
    }

    @Example
    void anOfferSaysUnderWhichRevisionItWasMade() {
        assertThat(TuningOffers.of(estimate()).revision()).isEqualTo(3);
    }

    @Example
    void aChangeMayNeedMoreCores() {
        SavingsEstimate row = estimate();
        row.setRightSizingCoresLow(-8.0);
        row.setRightSizingCores(-5.0);
        row.setRightSizingCoresHigh(-4.0);
        row.setReclaimableCoresLow(0.0);
        row.setReclaimableCores(0.0);
        row.setReclaimableCoresHigh(0.0);
        assertThat(of(row).cores()).contains(new Interval(-8, -5, -4));
    }

    @Example
    void theReplayOfTheWholeChangeSaysHowFarItMovesTheCliff() {
        SavingsEstimate row = estimate();
        assertThat(of(row).gain()).isEmpty();
        row.setGain(1.7);
        assertThat(of(row).gain()).hasValue(1.7);
        row.setHeadroom(0.8);
        row.setHeadroomAfter(2.0);
        assertThat(of(row).gain()).hasValue(2.5);
    }
}
