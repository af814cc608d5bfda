package io.quotascope.analyze;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Windows merged by minute, as the rollup job does. */
final class Minutes {
    private Minutes() {}

    static List<ServiceSums> of(List<ShardWindow> windows, List<HostReport> hosts) {
        ServiceKey key = windows.get(0).key();
        Map<Long, ServiceAccumulator> minutes = new TreeMap<>();
        for (ShardWindow window : windows) {
            at(minutes, key, window.windowStartUs()).add(window);
        }
        for (HostReport host : hosts) {
            for (HostStatement statement : host.statements()) {
                if (statement.key().equals(key)) {
                    at(minutes, key, statement.windowStartUs()).add(statement);
                }
            }
        }
        return minutes.values().stream().map(ServiceAccumulator::toServiceSums).toList();
    }

    private static ServiceAccumulator at(
            Map<Long, ServiceAccumulator> minutes, ServiceKey key, long windowStartUs) {
        return minutes.computeIfAbsent(
                WindowPart.minuteOf(windowStartUs), start -> new ServiceAccumulator(key, start));
    }
}
