package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.HostMinute;
import io.quotascope.domain.hosts.HostSpan;
import io.quotascope.domain.hosts.Pressure;
import io.quotascope.domain.window.WindowPart;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Bytes of a {@link HostMinute} in state. */
public final class HostMinuteForm extends MutableForm<HostMinute> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<HostMinute> type() {
        return HostMinute.class;
    }

    @Override
    public void write(HostMinute value, DataOutput out) throws IOException {
        HostBytes.writeSpan(value.span(), out);
        for (Pressure slot : value.slots()) {
            HostBytes.writePressure(slot, out);
        }
    }

    @Override
    public HostMinute read(DataInput in, int version) throws IOException {
        HostSpan span = HostBytes.readSpan(in);
        Pressure[] slots = new Pressure[WindowPart.SLOTS];
        for (int slot = 0; slot < slots.length; slot++) {
            slots[slot] = HostBytes.readPressure(in);
        }
        return new HostMinute(span, slots);
    }
}
