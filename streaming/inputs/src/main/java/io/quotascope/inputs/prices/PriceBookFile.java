package io.quotascope.inputs.prices;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.savings.PriceBook.Packing;
import io.quotascope.domain.savings.PriceBook.Price;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A price book as people write it. A file with a fault is no book at all: half a book would value
 * the other half at nothing.
 */
final class PriceBookFile {
    static final InputFile.Form FORM =
            InputFile.Form.of(
                    "prices",
                    List.of("currency", "note"),
                    List.of(
                            "price_class",
                            "valid_from",
                            "usd_per_core_year",
                            "usd_per_gib_year",
                            "discount_ratio",
                            "commitment_end",
                            "host_cores",
                            "packing_ratio"));
    private static final double USD_MAX = 1e9 - 1;

    private PriceBookFile() {}

    /** The book in its first version. */
    static PriceBook of(InputFile file) throws InvalidInputException {
        Fields top = file.top();
        if (!top.requiredText("currency").equals("USD")) {
            throw top.fault(
                    "currency",
                    "currency must be USD, found "
                            + top.requiredText("currency")
                            + "; convert the prices");
        }
        List<Price> prices = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        for (Fields row : file.entries()) {
            Price price = price(row);
            Integer before = lines.put(price.priceClass() + '@' + price.validFromUs(), row.line());
            if (before != null) {
                throw row.fault(
                        "valid_from",
                        "a price of "
                                + price.priceClass()
                                + " begins at the same instant in line "
                                + before);
            }
            prices.add(price);
        }
        if (prices.isEmpty()) {
            throw top.fault("prices", "prices is empty");
        }
        prices.sort(Comparator.comparing(Price::priceClass).thenComparingLong(Price::validFromUs));
        return new PriceBook(1, prices, top.text("note"));
    }

    private static Price price(Fields row) throws InvalidInputException {
        String priceClass = row.text("price_class").orElse(PriceBook.DEFAULT_CLASS);
        OptionalLong from = row.instantUs("valid_from");
        OptionalDouble core = row.decimal("usd_per_core_year", 0, USD_MAX);
        OptionalDouble memory = row.decimal("usd_per_gib_year", 0, USD_MAX);
        OptionalDouble discount = row.decimal("discount_ratio", 0, 0.999999);
        OptionalLong end = row.instantUs("commitment_end");
        OptionalDouble hostCores = row.decimal("host_cores", 1, 1e6 - 1);
        OptionalDouble packing = row.decimal("packing_ratio", 1e-6, 1);
        if (from.isEmpty()) {
            throw row.missing("valid_from");
        }
        if (core.isEmpty()) {
            throw row.missing("usd_per_core_year");
        }
        if (memory.isEmpty()) {
            throw row.missing("usd_per_gib_year");
        }
        if (hostCores.isPresent() != packing.isPresent()) {
            throw row.missing(hostCores.isPresent() ? "packing_ratio" : "host_cores");
        }
        return new Price(
                priceClass,
                from.getAsLong(),
                core.getAsDouble(),
                memory.getAsDouble(),
                discount.orElse(0),
                end.isPresent() ? Optional.of(end.getAsLong()) : Optional.empty(),
                hostCores.isPresent()
                        ? Optional.of(new Packing(hostCores.getAsDouble(), packing.getAsDouble()))
                        : Optional.empty());
    }
}
