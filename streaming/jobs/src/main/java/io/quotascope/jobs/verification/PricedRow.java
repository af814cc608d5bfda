package io.quotascope.jobs.verification;

import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.wire.SingleObject;
import io.quotascope.wire.Verifications;
import io.quotascope.wire.avro.Verification;
import java.util.Locale;
import java.util.Optional;

/** Rows of verifications as {@link PricingFunction} sees them. */
final class PricedRow implements PricingFunction.Form<Verification> {
    private static final long serialVersionUID = 1L;

    private transient SingleObject<Verification> format;

    private SingleObject<Verification> format() {
        if (format == null) {
            format = new SingleObject<>(Verification.class, "verification");
        }
        return format;
    }

    @Override
    public boolean lacksPrice(Verification row) {
        return Verifications.lackPrice(row);
    }

    @Override
    public ServiceKey service(Verification row) {
        Origin origin = Origin.valueOf(row.getOrigin().toString().toUpperCase(Locale.ROOT));
        return new ServiceKey(origin, row.getCluster(), row.getService(), "");
    }

    @Override
    public Verification priced(Verification row, PriceBook book, Optional<String> priceClass) {
        return Verifications.priced(row, book, priceClass);
    }

    @Override
    public byte[] bytes(Verification row) {
        return format().encode(row);
    }

    @Override
    public Verification row(byte[] bytes) {
        return format().decode(bytes).orElseThrow();
    }
}
