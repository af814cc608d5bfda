package io.quotascope.inputs.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.inputs.text.YamlEntries;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubernetesServicesTest {
    private static final String MANIFESTS =
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: checkout, namespace: shop, labels: {team: payments}}
            spec:
              replicas: 5
              template:
                metadata: {labels: {app: checkout}, annotations: {owner: payments-oncall}}
                spec:
                  containers:
                    - name: app
                      resources: {requests: {cpu: 1500m, memory: 2Gi}}
                    - name: proxy
                      resources: {requests: {cpu: 0.1}}
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: checkout, namespace: shop}
            spec: {minAvailable: 50%, selector: {matchLabels: {app: checkout}}}
            ---
            kind: Service
            metadata: {name: checkout}
            """;

    private static KubernetesServices services() {
        return new KubernetesServices(
                new KubernetesServices.Labels("team", "owner", "price-class"), "prod", "default");
    }

    private static List<CatalogFile.Stated> catalog(KubernetesServices services)
            throws InvalidInputException {
        return CatalogFile.of(
                        "made.yaml",
                        YamlEntries.read(
                                "made.yaml",
                                new StringReader(services.toCatalog()),
                                CatalogEntryFields.FORM))
                .entries();
    }

    @Test
    void manifestsBecomeACatalogThatLoads() throws InvalidInputException {
        KubernetesServices services = services();
        services.add("m.yaml", MANIFESTS);
        List<CatalogFile.Stated> entries = catalog(services);
        assertThat(entries).hasSize(2);
        var app = entries.get(0).entry();
        assertThat(app.topicKey()).isEqualTo("prod/shop/checkout/app");
        assertThat(app.team()).contains("payments");
        assertThat(app.owner()).contains("payments-oncall");
        assertThat(app.reservedMillicores()).hasValue(1500);
        assertThat(app.memoryFloorBytes()).hasValue(2L << 30);
        // nothing is promised beyond what was asked for
        assertThat(app.memoryBytes()).hasValue(2L << 30);
        // half of five pods, rounded up
        assertThat(app.minimumShards()).hasValue(3);
        var proxy = entries.get(1).entry();
        assertThat(proxy.reservedMillicores()).hasValue(100);
        assertThat(proxy.memoryFloorBytes()).isEmpty();
        assertThat(proxy.memoryBytes()).isEmpty();
        assertThat(services.summary())
                .isEqualTo("1 workloads, 1 disruption budgets; left out: {Service=1}");
    }

    @Test
    void outputOfKubectlIsReadAndADaemonSetHasNoLeastNumber() throws InvalidInputException {
        KubernetesServices services = services();
        services.add(
                "k.json",
                "{\"kind\": \"List\", \"items\": [{\"kind\": \"DaemonSet\", \"metadata\": {\"name\":"
                        + " \"agent\"}, \"spec\": {\"template\": {\"spec\": {\"containers\":"
                        + " [{\"name\": \"a\"}]}}}}]}");
        var agent = catalog(services).get(0).entry();
        assertThat(agent.service()).isEqualTo("default/agent/a");
        assertThat(agent.reservedMillicores()).isEmpty();
        assertThat(agent.minimumShards()).isEmpty();
    }

    private static ServiceCatalogEntry app(String resources) throws InvalidInputException {
        KubernetesServices services = services();
        services.add(
                "m.yaml", MANIFESTS.replace("{requests: {cpu: 1500m, memory: 2Gi}}", resources));
        return catalog(services).get(0).entry();
    }

    @Test
    void limitsSayWhatAShardHasAndStandForRequestsThatNobodyStates() throws InvalidInputException {
        var both = app("{requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 4, memory: 4Gi}}");
        assertThat(both.reservedMillicores()).hasValue(1000);
        assertThat(both.memoryFloorBytes()).hasValue(1L << 30);
        assertThat(both.memoryBytes()).hasValue(4L << 30);
        var limits = app("{limits: {cpu: 4, memory: 512Mi}}");
        assertThat(limits.reservedMillicores()).hasValue(4000);
        assertThat(limits.memoryFloorBytes()).hasValue(512L << 20);
        assertThat(limits.memoryBytes()).hasValue(512L << 20);
        assertThatThrownBy(() -> app("{limits: {memory: much}}"))
                .hasMessageContaining("resources.limits.memory is no quantity: much");
    }

    @Test
    void faultsNameFileObjectAndField() {
        assertThatThrownBy(
                        () -> {
                            KubernetesServices services = services();
                            services.add("m.yaml", MANIFESTS.replace("1500m", "1500x"));
                            services.toCatalog();
                        })
                .hasMessage("m.yaml: container app: resources.requests.cpu is no quantity: 1500x");
        assertThatThrownBy(
                        () -> {
                            KubernetesServices services = services();
                            services.add("m.yaml", MANIFESTS.replace("50%", "half"));
                            services.toCatalog();
                        })
                .hasMessageContaining(
                        "PodDisruptionBudget checkout: spec.minAvailable must be a whole number");
        assertThatThrownBy(() -> services().add("m.yaml", "kind: ["))
                .hasMessageContaining("m.yaml");
        assertThatThrownBy(() -> services().add("m.yaml", "text"))
                .hasMessageContaining("no object of Kubernetes");
    }
}
