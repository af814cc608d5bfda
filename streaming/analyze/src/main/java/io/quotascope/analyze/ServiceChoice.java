package io.quotascope.analyze;

import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ShardWindow;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which of the services in a file is meant. */
final class ServiceChoice {
    static final Comparator<ServiceKey> ORDER =
            Comparator.comparing(ServiceKey::service)
                    .thenComparing(ServiceKey::quotaClass)
                    .thenComparing(ServiceKey::cluster)
                    .thenComparing(ServiceKey::origin);

    private ServiceChoice() {}

    /** The only key; else a fault that lists what there is. */
    static ServiceKey only(
            String file,
            Set<ServiceKey> keys,
            Collection<ShardWindow> windows,
            Optional<String> asked)
            throws UnusableInputException {
        if (keys.size() == 1) {
            return keys.iterator().next();
        }
        if (windows.isEmpty()) {
            throw new UnusableInputException(file, "no usage window in it");
        }
        if (keys.isEmpty()) {
            Set<String> names = new TreeSet<>();
            windows.forEach(window -> names.add(window.service()));
            throw new UnusableInputException(
                    file,
                    "no service \""
                            + asked.orElse("")
                            + "\"; there are "
                            + String.join(", ", names));
        }
        List<String> found =
                keys.stream().map(key -> key.service() + " (" + key.quotaClass() + ')').toList();
        throw new UnusableInputException(
                file,
                "several services or settings; choose one with --service: "
                        + found.stream().collect(Collectors.joining(", ")));
    }
}
