package io.quotascope.wire;

import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.PriceBook.Packing;
import io.quotascope.domain.savings.PriceBook.Price;
import io.quotascope.wire.avro.PriceBookRow;
import java.util.Optional;

/** PriceBook and its domain form. */
public final class PriceBooks {
    private static final String CURRENCY = "USD";

    private PriceBooks() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException for another currency or a price that the domain refuses
     */
    public static PriceBook toDomain(io.quotascope.wire.avro.PriceBook avro) {
        if (!avro.getCurrency().equals(CURRENCY)) {
            throw new IllegalArgumentException(
                    "currency must be " + CURRENCY + ", found " + avro.getCurrency());
        }
        return new PriceBook(
                avro.getPriceBookVersion(),
                avro.getPrices().stream().map(PriceBooks::price).toList(),
                Optional.ofNullable(avro.getNote()));
    }

    private static Price price(PriceBookRow row) {
        return new Price(
                row.getPriceClass(),
                row.getValidFromUs(),
                row.getUsdPerCoreYear(),
                row.getUsdPerGibYear(),
                row.getDiscountRatio(),
                Optional.ofNullable(row.getCommitmentEndUs()),
                packing(row));
    }

    private static Optional<Packing> packing(PriceBookRow row) {
        return row.getHostCores() == null || row.getPackingRatio() == null
                ? Optional.empty()
                : Optional.of(new Packing(row.getHostCores(), row.getPackingRatio()));
    }

    /** The record as it travels and the row as it is stored. */
    public static io.quotascope.wire.avro.PriceBook toAvro(PriceBook book) {
        io.quotascope.wire.avro.PriceBook avro = new io.quotascope.wire.avro.PriceBook();
        avro.setPriceBookVersion(book.version());
        avro.setCurrency(CURRENCY);
        avro.setPrices(book.prices().stream().map(PriceBooks::row).toList());
        avro.setNote(book.note().orElse(null));
        return avro;
    }

    private static PriceBookRow row(Price price) {
        PriceBookRow row = new PriceBookRow();
        row.setPriceClass(price.priceClass());
        row.setValidFromUs(price.validFromUs());
        row.setUsdPerCoreYear(price.usdPerCoreYear());
        row.setUsdPerGibYear(price.usdPerGibYear());
        row.setDiscountRatio(price.discountRatio());
        row.setCommitmentEndUs(price.commitmentEndUs().orElse(null));
        row.setHostCores(price.packing().map(Packing::hostCores).orElse(null));
        row.setPackingRatio(price.packing().map(Packing::packingRatio).orElse(null));
        return row;
    }
}
