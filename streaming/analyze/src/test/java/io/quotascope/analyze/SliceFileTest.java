package io.quotascope.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;

class SliceFileTest {
    private static List<Slice> read(String text) throws IOException, UnusableInputException {
        return SliceFile.read("u.csv", new BufferedReader(new StringReader(text)), 10_000);
    }

    @Example
    void everyUnitMeansTheSame() throws Exception {
        assertThat(read("usage_us\n5000\n").get(0).usageNs()).isEqualTo(5_000_000);
        assertThat(read("usage_ns\n5000000\n").get(0).usageNs()).isEqualTo(5_000_000);
        assertThat(read("used_cores\n0.5\n").get(0).usageNs()).isEqualTo(5_000_000);
        // Half a core for 20 ms is 10 ms of CPU time.
        Slice longer = read("used_cores,elapsed_us\n0.5,20000\n").get(0);
        assertThat(longer.usageNs()).isEqualTo(10_000_000);
        assertThat(longer.elapsedNs()).isEqualTo(20_000_000);
    }

    @Example
    void columnsComeInAnyOrderAndStrangersAreIgnored() throws Exception {
        List<Slice> slices =
                read(
                        "# made elsewhere\n\nhost,throttled_periods,periods,usage_us,slot\n"
                                + "a,1,2,100,7\na,0,1,200,9\n");
        assertThat(slices).extracting(Slice::slot).containsExactly(7L, 9L);
        assertThat(slices.get(0).throttledPeriods()).hasValue(1);
        assertThat(slices.get(0).runnableThreads()).isEmpty();
    }

    @Example
    void faultsNameLineAndRemedy() {
        assertFault("", "u.csv: no slices");
        assertFault("when,what\n1,2\n", "u.csv:1: expected exactly one of the columns usage_us");
        assertFault("usage_us,usage_ns\n1,2\n", "u.csv:1: expected exactly one");
        assertFault("usage_us,usage_us\n1,2\n", "u.csv:1: column usage_us is named twice");
        assertFault("usage_us\n1\nmuch\n", "u.csv:3: usage_us is not a number: \"much\"");
        assertFault("usage_us\n-1\n", "u.csv:2: usage_us is out of range: -1");
        assertFault("usage_us\nNaN\n", "u.csv:2: usage_us is out of range: NaN");
        assertFault("usage_us,slot\n1,5\n1,5\n", "u.csv:3: slot 5 after slot 5");
        assertFault("usage_us,slot\n1\n", "u.csv:2: 1 cells where 2 columns");
        assertFault("usage_us,elapsed_us\n1,0\n", "u.csv:2: a slice must take time");
        assertFault("# quotascope-recording 1\n", "cgroupreplay windows --avro u.csv");
    }

    @Property(tries = 500)
    void anyTextIsReadOrRefusedWithItsName(@ForAll @StringLength(max = 60) String text)
            throws IOException {
        try {
            assertThat(read("usage_us,slot\n" + text)).isNotEmpty();
        } catch (UnusableInputException refused) {
            assertThat(refused).hasMessageStartingWith("u.csv:");
        }
    }

    private static void assertFault(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageContaining(message);
    }
}
