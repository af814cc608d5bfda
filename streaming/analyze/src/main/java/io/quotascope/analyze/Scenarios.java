package io.quotascope.analyze;

import io.quotascope.domain.analysis.ScenarioGrid;
import io.quotascope.domain.whatif.Scenario;
import io.quotascope.domain.whatif.Situation;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is asked about every service: the same grid as the jobs ask. */
final class Scenarios {
    private Scenarios() {}

    /** Scenarios by name, the present one first. A doubt about an answer is part of its name. */
    static Map<String, Scenario> of(Subject subject, List<ServiceSums> minutes, Situation now) {
        int shards = (int) subject.windows().stream().map(ShardWindow::shardId).distinct().count();
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        ScenarioGrid.Ground ground =
                new ScenarioGrid.Ground(subject.quota(), subject.reservation(), shards, minutes);
        for (ScenarioGrid.Asked asked : ScenarioGrid.of(ground, now)) {
            String doubts =
                    asked.doubts().isEmpty() ? "" : " (" + String.join("; ", asked.doubts()) + ")";
            scenarios.put(asked.name() + doubts, asked.scenario());
        }
        return scenarios;
    }
}
