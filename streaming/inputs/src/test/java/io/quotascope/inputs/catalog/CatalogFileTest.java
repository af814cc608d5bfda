package io.quotascope.inputs.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.inputs.text.InputFile;
import io.quotascope.inputs.text.YamlEntries;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CatalogFileTest {
    private static final String SOUND =
            """
            entries:
              - cluster: lab
                service: checkout
                team: payments
                reserved_millicores: 200
                retries: 1
              - cluster: lab
                service: search
            """;

    private static CatalogFile read(String text) throws InvalidInputException {
        return CatalogFile.of(
                "catalog.yaml",
                YamlEntries.read("catalog.yaml", new StringReader(text), CatalogEntryFields.FORM));
    }

    private static void refuses(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(message);
    }

    private static Map<String, ServiceCatalogEntry> loaded(String... files)
            throws InvalidInputException {
        Map<String, ServiceCatalogEntry> topic = new TreeMap<>();
        for (String file : files) {
            for (ServiceCatalogEntry change : CatalogChanges.between(topic, read(file))) {
                topic.put(change.topicKey(), change);
            }
        }
        return topic;
    }

    @Test
    void readsWhatIsStatedAndNothingElse() throws Exception {
        ServiceCatalogEntry checkout = read(SOUND).entries().get(0).entry();
        assertThat(checkout.topicKey()).isEqualTo("lab/checkout");
        assertThat(checkout.team()).contains("payments");
        assertThat(checkout.reservedMillicores()).hasValue(200);
        assertThat(checkout.load().retries()).hasValue(1);
        assertThat(checkout.load().sloUs()).isEmpty();
        assertThat(checkout.minimumShards()).isEmpty();
    }

    @Test
    void namesFileLineAndField() {
        refuses("", "catalog.yaml:1: the file is empty");
        refuses("services: []", "catalog.yaml:1: unknown field services, expected one of entries");
        refuses("entries: 3", "catalog.yaml:1: entries must be a list");
        refuses("entries:\n  - cluster: lab\n", "catalog.yaml:2: service is missing");
        refuses(
                SOUND.replace("200", "two"),
                "catalog.yaml:5: reserved_millicores must be a whole number of at least 1, found two");
        refuses(
                SOUND.replace("200", "0"),
                "catalog.yaml:5: reserved_millicores must be a whole number of at least 1, found 0");
        refuses(
                SOUND.replace("retries: 1", "retries: -1"),
                "catalog.yaml:6: retries must be a whole number from 0 to 2147483647, found -1");
        refuses(SOUND.replace("team:", "tema:"), "catalog.yaml:4: unknown field tema");
        refuses(
                SOUND.replace("search", "checkout"),
                "catalog.yaml:7: service lab/checkout is named a second time, first in line 2");
        refuses(
                SOUND.replaceFirst("cluster: lab", "cluster: a/b"),
                "catalog.yaml:2: cluster must not contain a slash");
        refuses(SOUND.replace("team: payments", "team: [a]"), "catalog.yaml:4: team must be text");
        refuses("entries: [", "catalog.yaml:1: not YAML");
    }

    @Test
    void aTableSaysTheSameAsYaml() throws InvalidInputException, IOException {
        String table =
                "cluster,service,team,reserved_millicores,retries\n"
                        + "lab,checkout,payments,200,1\n"
                        + "lab,search,,,\n";
        CatalogFile file =
                CatalogFile.of(
                        "c.csv",
                        InputFile.csv("c.csv", new StringReader(table), CatalogEntryFields.FORM));
        assertThat(file.entries())
                .extracting(CatalogFile.Stated::entry)
                .isEqualTo(read(SOUND).entries().stream().map(CatalogFile.Stated::entry).toList());
    }

    @Test
    void anOwnerOverrulesWhatTheModelsAssume() throws InvalidInputException {
        String text =
                SOUND.replace(
                        "retries: 1",
                        "retries: 0\n    timeout_us: 5000\n    horizon_us: 7\n    redistributes_load: false");
        var policy = read(text).entries().get(0).entry().load();
        assertThat(policy.retries()).hasValue(0);
        assertThat(policy.timeoutUs()).hasValue(5000);
        assertThat(policy.horizonUs()).hasValue(7);
        assertThat(policy.redistributesLoad()).contains(false);
        refuses(
                text.replace("load: false", "load: no"),
                "catalog.yaml:9: redistributes_load must be true or false, found no");
    }

    @Test
    void anOwnerChoosesWhatAGainIsTakenAs() throws InvalidInputException {
        String text = SOUND.replace("retries: 1", "retries: 1\n    aim: latency");
        assertThat(read(text).entries().get(0).entry().aim()).contains(Target.Aim.LATENCY);
        assertThat(read(text).entries().get(1).entry().aim()).isEmpty();
        refuses(
                text.replace("aim: latency", "aim: speed"),
                "catalog.yaml:7: aim must be one of savings, latency, found speed");
        ServiceCatalogEntry kept = loaded(text, text.replace("200", "300")).get("lab/checkout");
        assertThat(kept.aim()).contains(Target.Aim.LATENCY);
        assertThat(loaded(SOUND, text).get("lab/checkout").catalogVersion()).isEqualTo(2);
        ServiceCatalogEntry withdrawn =
                loaded(text, text.replace("checkout", "other")).get("lab/checkout");
        assertThat(withdrawn.aim()).contains(Target.Aim.LATENCY);
    }

    @Test
    void versionsRiseWithChangesOnly() throws Exception {
        assertThat(loaded(SOUND, SOUND).get("lab/checkout").catalogVersion()).isEqualTo(1);
        Map<String, ServiceCatalogEntry> changed = loaded(SOUND, SOUND.replace("200", "300"));
        assertThat(changed.get("lab/checkout").catalogVersion()).isEqualTo(2);
        assertThat(changed.get("lab/search").catalogVersion()).isEqualTo(1);
    }

    @Test
    void whatIsNoLongerNamedIsWithdrawnAndCountsOnWhenItReturns() throws Exception {
        String without = SOUND.substring(0, SOUND.lastIndexOf("  - cluster"));
        ServiceCatalogEntry withdrawn = loaded(SOUND, without).get("lab/search");
        assertThat(withdrawn.deleted()).isTrue();
        assertThat(withdrawn.catalogVersion()).isEqualTo(2);
        ServiceCatalogEntry back = loaded(SOUND, without, SOUND).get("lab/search");
        assertThat(back.deleted()).isFalse();
        assertThat(back.catalogVersion()).isEqualTo(3);
    }

    @Test
    void otherClustersAreLeftAlone() throws Exception {
        Map<String, ServiceCatalogEntry> both =
                loaded(SOUND, SOUND.replace("cluster: lab", "cluster: prod"));
        assertThat(both.values()).noneMatch(ServiceCatalogEntry::deleted).hasSize(4);
    }

    @Test
    void aGivenVersionMustRise() throws Exception {
        String first = SOUND.replace("team: payments", "team: payments\n    catalog_version: 7");
        assertThat(loaded(first).get("lab/checkout").catalogVersion()).isEqualTo(7);
        assertThat(loaded(first, first).get("lab/checkout").catalogVersion()).isEqualTo(7);
        assertThatThrownBy(() -> loaded(first, first.replace("200", "300")))
                .hasMessage(
                        "catalog.yaml:2: catalog_version 7 of lab/checkout does not rise with its change, use at least 8 or leave it out");
    }

    @Test
    void theCatalogOfTheLabIsSoundAndLeavesOneServiceOut() throws Exception {
        Path lab = Path.of("../../infra/native/lab-catalog.yaml");
        CatalogFile file =
                CatalogFile.of("lab-catalog.yaml", InputFile.read(lab, CatalogEntryFields.FORM));
        List<String> services =
                file.entries().stream().map(each -> each.entry().service()).toList();
        assertThat(services)
                .hasSize(7)
                .contains("checkout", "reports-idle")
                .doesNotContain("fibtest-workers");
        assertThat(file.entries())
                .allSatisfy(
                        each ->
                                assertThat(each.entry().team().orElseThrow())
                                        .isIn("payments", "search", "platform"));
    }
}
