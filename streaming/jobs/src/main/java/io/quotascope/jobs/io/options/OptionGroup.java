package io.quotascope.jobs.io.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/**
 * The options of one job or one connection. Implementations are found through {@link
 * java.util.ServiceLoader}, so that a key is known, documented and checked without any package
 * having to know all the others.
 */
public interface OptionGroup {

    /**
     * Name of the page in {@code docs/options}, which is also the first word of the keys of a job's
     * own options.
     */
    String name();

    /** One sentence for the head of the page. */
    String purpose();

    /**
     * Every option of the group. A number without a unit of its own names its unit in the
     * description.
     */
    List<ConfigOption<?>> options();
}
