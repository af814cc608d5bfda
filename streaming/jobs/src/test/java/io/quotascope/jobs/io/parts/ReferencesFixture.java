package io.quotascope.jobs.io.parts;

import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;

/** Lets tests of other packages give a function its broadcast state. */
public final class ReferencesFixture {
    private ReferencesFixture() {}

    public static List<MapStateDescriptor<?, ?>> descriptors() {
        return References.descriptors();
    }
}
