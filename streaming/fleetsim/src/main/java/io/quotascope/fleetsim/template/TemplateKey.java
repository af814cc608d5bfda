package io.quotascope.fleetsim.template;

import io.quotascope.fleetsim.fleet.Kind;
import io.quotascope.fleetsim.fleet.Setting;

/**
 * What one simulated run is of.
 *
 * @param kind kind of service
 * @param setting its setting
 * @param faultyKernel whether slices expire
 * @param level level of load
 */
public record TemplateKey(Kind kind, Setting setting, boolean faultyKernel, int level) {
    /** A kind whose work does not come from requests has one level. */
    public TemplateKey {
        level = kind.loadMatters() ? level : 0;
    }
}
