package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import io.quotascope.wire.AccumulatorState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Bytes of an unfinished row in state. On the heap the object itself is added to, and copied only
 * when a checkpoint still reads the older one.
 */
public final class AccumulatorForm implements ByteForm<ServiceAccumulator> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ServiceAccumulator> type() {
        return ServiceAccumulator.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ServiceAccumulator value, DataOutput out) throws IOException {
        FramedBytes.write(AccumulatorState.encode(value), out);
    }

    @Override
    public ServiceAccumulator read(DataInput in, int version) throws IOException {
        return AccumulatorState.decode(FramedBytes.read(in));
    }

    @Override
    public boolean immutable() {
        return false;
    }

    @Override
    public ServiceAccumulator copy(ServiceAccumulator value) {
        return ServiceAccumulator.of(value.toServiceSums());
    }
}
