package io.quotascope.validate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Subject;
import java.util.List;
import org.junit.jupiter.api.Test;

class JudgedTest {
    @Test
    void noJudgedServiceTakesPartInAFit() {
        List<Subject> drawn = Development.of(0, Judged.drawn(Judged.BLOCK), 0).collapsible();
        List<Subject> judged = Judged.among(drawn, Judged.BLOCK);
        List<Subject> others = Judged.others(Judged.BETWEEN + 30);
        assertThat(judged).hasSize(2 * Judged.BLOCK).doesNotHaveDuplicates();
        assertThat(others).hasSize(Judged.BETWEEN + 30).doesNotHaveDuplicates();
        assertThat(others).doesNotContainAnyElementsOf(judged);
        assertThat(others.subList(0, 40)).isEqualTo(Judged.others(40));
    }
}
