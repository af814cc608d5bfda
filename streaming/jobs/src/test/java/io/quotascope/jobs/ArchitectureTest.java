package io.quotascope.jobs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.apache.flink.api.common.functions.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows that must not exist, each with its reason. */
class ArchitectureTest {
    private static JavaClasses ours;

    @BeforeAll
    static void read() {
        ours =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.quotascope");
        assertThat(ours)
                .as("classes of all three modules")
                .anyMatch(each -> each.getPackageName().startsWith("io.quotascope.domain"));
        assertThat(ours).anyMatch(each -> each.getPackageName().startsWith("io.quotascope.wire"));
    }

    @Test
    void theDomainKnowsNothingButJava() {
        classes()
                .that()
                .resideInAPackage("io.quotascope.domain..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.quotascope.domain..",
                        "java.lang..",
                        "java.util..",
                        "java.math..",
                        "java.io..",
                        "java.nio..")
                .because(
                        "a formula that knows a transport, a clock or a configuration cannot be checked by hand")
                .check(ours);
    }

    @Test
    void theWireDoesNotKnowFlinkKafkaOrClickHouse() {
        noClasses()
                .that()
                .resideInAPackage("io.quotascope.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.flink..", "org.apache.kafka..", "io.quotascope.jobs..")
                .because(
                        "bytes are the same whoever carries them, and tools without Flink read them too")
                .check(ours);
    }

    @Test
    void aFunctionDoesNotKnowAvro() {
        noClasses()
                .that(areFunctionsOfAJob())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quotascope.wire.avro..", "org.apache.avro..")
                .because(
                        "a function holds state and time; what a record looks like outside is the topology's concern")
                .check(ours);
    }

    @Test
    void oneJobDoesNotKnowAnother() {
        slices().matching("io.quotascope.jobs.(*)..")
                .that(
                        DescribedPredicate.describe(
                                "are no shared ground",
                                slice -> !slice.getDescription().contains("Slice io")))
                .should()
                .notDependOnEachOther()
                .because(
                        "each answers one question and is stopped, changed and replayed alone; they meet in topics and in IngestJob")
                .check(ours);
    }

    @Test
    void sharedGroundDoesNotKnowAJob() {
        noClasses()
                .that()
                .resideInAPackage("io.quotascope.jobs.io..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.quotascope.jobs.intake..",
                        "io.quotascope.jobs.rollup..",
                        "io.quotascope.jobs.threads..",
                        "io.quotascope.jobs.throttling..",
                        "io.quotascope.jobs.rank..",
                        "io.quotascope.jobs.alerts..",
                        "io.quotascope.jobs.changes..",
                        "io.quotascope.jobs.hosts..",
                        "io.quotascope.jobs.hours..",
                        "io.quotascope.jobs.risk..",
                        "io.quotascope.jobs.whatif..",
                        "io.quotascope.jobs.savings..",
                        "io.quotascope.jobs.verification..",
                        "io.quotascope.jobs.inputs..")
                .because("what all jobs stand on must not move with one of them")
                .check(ours);
    }

    private static DescribedPredicate<JavaClass> areFunctionsOfAJob() {
        return DescribedPredicate.describe(
                "are functions of a job",
                each ->
                        each.isAssignableTo(Function.class)
                                && each.getSimpleName().endsWith("Function"));
    }
}
