package io.quotascope.domain.savings;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What cores and memory cost. Prices have one home, the versioned price book that an operator
 * loads; there is no default price.
 *
 * @param version rises with every change, from 1
 * @param prices rows, in any order
 * @param note where the prices come from, for people
 */
public record PriceBook(long version, List<Price> prices, Optional<String> note) {
    /** Class of services whose catalog entry names none. */
    public static final String DEFAULT_CLASS = "default";

    /**
     * How full the hosts of a class are: what turns freed cores into freed hosts.
     *
     * @param hostCores cores of one host
     * @param packingRatio reserved cores / cores of the hosts today, above 0 and at most 1
     */
    public record Packing(double hostCores, double packingRatio) {
        /**
         * A packing.
         *
         * @throws IllegalArgumentException when a host has no cores or the ratio is no share
         */
        public Packing {
            if (!(hostCores > 0 && hostCores < 1e6) || !(packingRatio > 0 && packingRatio <= 1)) {
                throw new IllegalArgumentException(
                        "host_cores must be positive and packing_ratio a share above 0");
            }
        }
    }

    /**
     * One row.
     *
     * @param priceClass class of hosts, as the service catalog names it
     * @param validFromUs first instant at which it holds, microseconds since the Unix epoch
     * @param usdPerCoreYear list price of a reserved core, US dollars a year
     * @param usdPerGibYear list price of a GiB of memory, US dollars a year
     * @param discountRatio discount on both, 0..1
     * @param commitmentEndUs until when cores are paid for whether used or not; absent when nothing
     *     is committed
     * @param packing how full its hosts are; absent when not stated, then nothing can be said of
     *     cashable value
     */
    public record Price(
            String priceClass,
            long validFromUs,
            double usdPerCoreYear,
            double usdPerGibYear,
            double discountRatio,
            Optional<Long> commitmentEndUs,
            Optional<Packing> packing) {
        /**
         * A price.
         *
         * @throws IllegalArgumentException when a price is negative or the discount no share
         */
        public Price {
            if (!(usdPerCoreYear >= 0 && usdPerCoreYear < 1e9)
                    || !(usdPerGibYear >= 0 && usdPerGibYear < 1e9)
                    || !(discountRatio >= 0 && discountRatio < 1)) {
                throw new IllegalArgumentException(
                        priceClass
                                + ": prices must not be negative and the discount a share below 1");
            }
        }

        /** What a reserved core is worth a year, discount taken off. */
        public double usdPerReservedCoreYear() {
            return usdPerCoreYear * (1 - discountRatio);
        }
    }

    /**
     * A book.
     *
     * @throws IllegalArgumentException when two rows of a class begin at the same instant or the
     *     version is below 1
     */
    public PriceBook {
        if (version < 1) {
            throw new IllegalArgumentException("price_book_version must be at least 1: " + version);
        }
        prices = List.copyOf(prices);
        long distinct =
                prices.stream()
                        .map(price -> price.priceClass() + '@' + price.validFromUs())
                        .distinct()
                        .count();
        if (distinct != prices.size()) {
            throw new IllegalArgumentException("two prices of one class begin at the same instant");
        }
    }

    /**
     * The price of a service's class at an instant; absent when the book has none. A class that the
     * book does not know is no default class: its price is not known.
     */
    public Optional<Price> of(Optional<String> priceClass, long instantUs) {
        return at(priceClass.orElse(DEFAULT_CLASS), instantUs);
    }

    /** The price of a class at an instant; absent when the book has none. */
    public Optional<Price> at(String priceClass, long instantUs) {
        return prices.stream()
                .filter(price -> price.priceClass().equals(priceClass))
                .filter(price -> price.validFromUs() <= instantUs)
                .max(Comparator.comparingLong(Price::validFromUs));
    }
}
