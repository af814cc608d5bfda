package io.quotascope.jobs.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.savings.PriceBook;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.parts.Reference;
import io.quotascope.jobs.io.parts.ReferencesFixture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.co.CoBroadcastWithKeyedOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows are a service and its price: which price they leave with, and when. */
class PricingFunctionTest {
    private static final long CHANGE_US = 1_767_225_600_000_000L;
    private static final long ROW_MS = CHANGE_US / 1000 + 86_400_000L;

    /** A service, and "none" until it has a price. */
    private static final class Told implements PricingFunction.Form<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean lacksPrice(String row) {
            return row.endsWith(" none");
        }

        @Override
        public ServiceKey service(String row) {
            return new ServiceKey(Origin.MEASURED, "lab", row.split(" ")[0], "");
        }

        @Override
        public String priced(String row, PriceBook book, Optional<String> priceClass) {
            return book.of(priceClass, CHANGE_US)
                    .map(price -> row.replace("none", String.valueOf(price.usdPerCoreYear())))
                    .orElse(row);
        }

        @Override
        public byte[] bytes(String row) {
            return row.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String row(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private KeyedTwoInputStreamOperatorTestHarness<String, String, Reference, String> operator;

    private static KeyedTwoInputStreamOperatorTestHarness<String, String, Reference, String>
            harness() throws Exception {
        return new KeyedTwoInputStreamOperatorTestHarness<>(
                new CoBroadcastWithKeyedOperator<>(
                        new PricingFunction<>(new Told(), 1), ReferencesFixture.descriptors()),
                row -> row.split(" ")[0],
                null,
                Types.STRING);
    }

    @BeforeEach
    void open() throws Exception {
        operator = harness();
        operator.open();
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    /** A core costs 100 dollars, from the change on; of class gpu ten times as much. */
    private static Reference book() {
        return new Reference.Prices(
                new PriceBook(
                        7, List.of(price("default", 100), price("gpu", 1_000)), Optional.empty()));
    }

    private static PriceBook.Price price(String priceClass, double usd) {
        return new PriceBook.Price(
                priceClass, CHANGE_US, usd, 1, 0, Optional.empty(), Optional.empty());
    }

    private static Reference entry(String service, String priceClass) {
        return new Reference.Entry(
                new ServiceCatalogEntry(
                        "lab",
                        service,
                        4,
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        Optional.of(priceClass),
                        new ClientPolicy(
                                OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty()),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        false));
    }

    private List<String> read(String row) throws Exception {
        operator.processElement1(row, ROW_MS);
        return taken();
    }

    private List<String> tell(Reference reference) throws Exception {
        operator.processElement2(reference, 0);
        return taken();
    }

    private List<String> taken() {
        List<String> said = new ArrayList<>(operator.extractOutputValues());
        operator.getOutput().clear();
        return said;
    }

    @Test
    void aChangeHasThePriceOfItsClass() throws Exception {
        tell(book());
        tell(entry("search", "gpu"));
        assertThat(read("checkout none")).containsExactly("checkout 100.0");
        assertThat(read("search none")).containsExactly("search 1000.0");
    }

    @Test
    void aRowWithAPriceStaysAsItIs() throws Exception {
        tell(book());
        assertThat(read("checkout 7.0")).containsExactly("checkout 7.0");
        assertThat(operator.numKeyedStateEntries()).isZero();
    }

    @Test
    void aRowLeavesWithoutAPriceAndAgainOnceThereIsOne() throws Exception {
        assertThat(read("checkout none")).containsExactly("checkout none");
        assertThat(tell(book())).containsExactly("checkout 100.0");
        assertThat(tell(book())).as("it is priced").isEmpty();
    }

    @Test
    void anEntryThatComesLateNamesAClassThatTheBookHas() throws Exception {
        tell(book());
        tell(entry("search", "arm"));
        assertThat(read("search none")).containsExactly("search none");
        assertThat(tell(entry("search", "gpu"))).containsExactly("search 1000.0");
    }

    @Test
    void whatWaitsForAPriceOutlivesARestart() throws Exception {
        read("checkout none");
        OperatorSubtaskState state = operator.snapshot(1, 1);
        operator.close();
        operator = harness();
        operator.initializeState(state);
        operator.open();
        assertThat(tell(book())).containsExactly("checkout 100.0");
    }

    @Test
    void whatNobodyPricesIsForgotten() throws Exception {
        read("checkout none");
        assertThat(operator.numKeyedStateEntries()).isPositive();
        operator.processWatermark1(new Watermark(ROW_MS + PricingFunction.KEPT_MS));
        operator.processWatermark2(new Watermark(ROW_MS + PricingFunction.KEPT_MS));
        assertThat(operator.numKeyedStateEntries()).isZero();
        assertThat(operator.numEventTimeTimers()).isZero();
        assertThat(tell(book())).isEmpty();
    }

    /** Rows and references come from topics that nobody puts in order. */
    @Test
    void whateverComesFirstEveryRowEndsWithItsPrice() throws Exception {
        for (int seed = 0; seed < 24; seed++) {
            List<String> told = new ArrayList<>();
            List<Callable<List<String>>> steps =
                    new ArrayList<>(
                            List.of(
                                    () -> read("checkout none"),
                                    () -> read("search none"),
                                    () -> tell(entry("search", "gpu")),
                                    () -> tell(book())));
            Collections.shuffle(steps, new Random(seed));
            for (Callable<List<String>> step : steps) {
                told.addAll(step.call());
            }
            assertThat(last(told, "checkout")).as("seed %d", seed).isEqualTo("checkout 100.0");
            assertThat(last(told, "search")).as("seed %d", seed).isEqualTo("search 1000.0");
            operator.close();
            open();
        }
    }

    private static String last(List<String> told, String service) {
        return told.stream()
                .filter(row -> row.startsWith(service))
                .reduce((one, other) -> other)
                .orElseThrow();
    }
}
