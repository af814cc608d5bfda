package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quotascope.jobs.io.JobShell;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.RichFunction;
import org.apache.flink.api.common.state.State;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every function runs in an operator harness, and one with state is asked there whether it goes on
 * after a restart, whether the order of arrival matters and whether anything is left; every job
 * with all its topologies runs in a mini cluster.
 */
class HarnessTest {
    private static JavaClasses product;
    private static JavaClasses tests;

    @BeforeAll
    static void read() {
        product =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.quotascope.jobs");
        tests =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
                        .importPackages("io.quotascope.jobs");
    }

    private static List<JavaClass> functions() {
        return product.stream()
                .filter(each -> each.isAssignableTo(RichFunction.class))
                .filter(each -> !each.getModifiers().contains(JavaModifier.ABSTRACT))
                .toList();
    }

    /** Whether it, or what it is or holds, has keyed state. */
    private static boolean hasState(JavaClass function) {
        return Stream.concat(Stream.of(function), function.getAllRawSuperclasses().stream())
                .flatMap(each -> each.getFields().stream())
                .map(JavaField::getRawType)
                .anyMatch(
                        type ->
                                type.isAssignableTo(State.class)
                                        || type.getPackageName().startsWith("io.quotascope.jobs")
                                                && type.getFields().stream()
                                                        .anyMatch(HarnessTest::isState));
    }

    private static boolean isState(JavaField field) {
        return field.getRawType().isAssignableTo(State.class);
    }

    /** A test with the classes of it and the fixtures that it uses, by the name of the test. */
    private record Case(JavaClass test, Set<JavaClass> with) {
        boolean makes(JavaClass function) {
            return with.stream()
                    .flatMap(each -> each.getConstructorCallsFromSelf().stream())
                    .anyMatch(call -> call.getTargetOwner().getName().equals(function.getName()));
        }

        Set<String> calls() {
            return with.stream()
                    .flatMap(each -> each.getMethodCallsFromSelf().stream())
                    .map(JavaAccess::getName)
                    .collect(Collectors.toSet());
        }

        boolean usesAHarness() {
            return with.stream()
                    .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                    .map(each -> each.getTargetClass().getPackageName())
                    .anyMatch(name -> name.equals("org.apache.flink.streaming.util"));
        }
    }

    private static JavaClass outermost(JavaClass nested) {
        return nested.getEnclosingClass().map(HarnessTest::outermost).orElse(nested);
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (JavaClass test : tests) {
            if (!test.getSimpleName().endsWith("Test") || test.getEnclosingClass().isPresent()) {
                continue;
            }
            Set<JavaClass> own =
                    tests.stream()
                            .filter(each -> outermost(each).getName().equals(test.getName()))
                            .collect(Collectors.toSet());
            Set<JavaClass> used =
                    own.stream()
                            .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                            .map(each -> each.getTargetClass())
                            .filter(each -> tests.contain(each.getName()))
                            .collect(Collectors.toSet());
            used.addAll(own);
            cases.add(new Case(test, used));
        }
        return cases;
    }

    @Test
    void everyFunctionRunsInAHarness() {
        List<Case> cases = cases().stream().filter(Case::usesAHarness).toList();
        assertThat(functions()).hasSizeGreaterThan(18);
        for (JavaClass function : functions()) {
            assertThat(cases.stream().anyMatch(each -> each.makes(function)))
                    .as("a test runs %s in a harness", function.getName())
                    .isTrue();
        }
    }

    @Test
    void everyFunctionWithStateIsAskedWhatStateMustKeep() {
        List<JavaClass> stateful = functions().stream().filter(HarnessTest::hasState).toList();
        assertThat(stateful).hasSizeGreaterThan(15);
        for (JavaClass function : stateful) {
            Set<String> calls = new TreeSet<>();
            cases().stream()
                    .filter(each -> each.usesAHarness() && each.makes(function))
                    .forEach(each -> calls.addAll(each.calls()));
            assertThat(calls)
                    .as("what tests ask of %s", function.getName())
                    .contains("initializeState", "numKeyedStateEntries", "numEventTimeTimers")
                    .anyMatch(name -> name.toLowerCase(Locale.ROOT).contains("shuffle"));
        }
    }

    @Test
    void everyJobRunsInAMiniCluster() {
        Set<String> plugged =
                tests.stream()
                        .filter(each -> each.isAnnotatedWith(Tag.class))
                        .filter(
                                each ->
                                        each.getAnnotationOfType(Tag.class)
                                                .value()
                                                .equals("minicluster"))
                        .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                        .map(each -> each.getTargetClass().getName())
                        .collect(Collectors.toSet());
        List<JavaClass> jobs =
                product.stream()
                        .filter(each -> each.tryGetMethod("plug", JobShell.class).isPresent())
                        .toList();
        assertThat(jobs).hasSizeGreaterThanOrEqualTo(12);
        Set<JavaClass> reached = new HashSet<>();
        for (JavaClass job : jobs) {
            boolean within =
                    jobs.stream()
                            .filter(each -> plugged.contains(each.getName()))
                            .anyMatch(each -> plugs(each, job));
            assertThat(plugged.contains(job.getName()) || within)
                    .as("a mini cluster runs %s", job.getName())
                    .isTrue();
            job.getDirectDependenciesFromSelf().forEach(each -> reached.add(each.getTargetClass()));
        }
        product.stream()
                .filter(each -> each.getSimpleName().endsWith("Topology"))
                .forEach(
                        topology ->
                                assertThat(reached)
                                        .as("a job of these runs %s", topology.getName())
                                        .contains(topology));
    }

    private static boolean plugs(JavaClass job, JavaClass other) {
        return job.getDirectDependenciesFromSelf().stream()
                .anyMatch(each -> each.getTargetClass().equals(other));
    }
}
