package io.quotascope.jobs.rank;

import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Bytes of a {@link ServiceOffer} between operators and in state. */
public final class ServiceOfferForm implements ByteForm<ServiceOffer> {
    private static final long serialVersionUID = 1L;

    /** First version that says how far to trust an estimate and what is free without any fix. */
    private static final int TRUSTED = 2;

    /** First version that says under which revision an offer was made. */
    private static final int REVISED = 3;

    @Override
    public Class<ServiceOffer> type() {
        return ServiceOffer.class;
    }

    @Override
    public int version() {
        return REVISED;
    }

    @Override
    public void write(ServiceOffer value, DataOutput out) throws IOException {
        out.writeByte(value.key().origin().ordinal());
        text(value.key().cluster(), out);
        text(value.key().service(), out);
        text(value.key().quotaClass(), out);
        out.writeLong(value.offer().analysedAtUs());
        out.writeBoolean(value.offer() instanceof TuningOffer.Savings);
        if (value.offer() instanceof TuningOffer.Savings savings) {
            write(savings, out);
        } else if (value.offer() instanceof TuningOffer.Risk risk) {
            write(risk, out);
        }
        out.writeLong(value.revision());
    }

    private static void write(TuningOffer.Savings savings, DataOutput out) throws IOException {
        out.writeBoolean(savings.best());
        text(savings.fixSet(), out);
        text(savings.settingText().orElse(null), out);
        interval(savings.cores(), out);
        interval(savings.usdPerYear(), out);
        number(savings.gain(), out);
        out.writeDouble(savings.successProbability());
        out.writeDouble(savings.effortDays());
        out.writeInt(savings.doubts().size());
        for (String doubt : savings.doubts()) {
            text(doubt, out);
        }
        out.writeByte(savings.trust().ordinal());
        number(savings.rightSizingCores(), out);
    }

    private static void write(TuningOffer.Risk risk, DataOutput out) throws IOException {
        text(risk.riskBand(), out);
        number(risk.deathSpiralRisk(), out);
        interval(risk.collapseMultiple(), out);
        number(risk.loadGrowth(), out);
        number(risk.loadGrowthDeviation(), out);
        out.writeLong(risk.horizonUs());
    }

    @Override
    public ServiceOffer read(DataInput in, int version) throws IOException {
        ServiceKey key =
                new ServiceKey(Origin.values()[in.readByte()], text(in), text(in), text(in));
        long analysedAtUs = in.readLong();
        TuningOffer offer =
                in.readBoolean() ? savings(analysedAtUs, in, version) : risk(analysedAtUs, in);
        return new ServiceOffer(key, version < REVISED ? 0 : in.readLong(), offer);
    }

    private static TuningOffer savings(long analysedAtUs, DataInput in, int version)
            throws IOException {
        boolean best = in.readBoolean();
        String fixSet = text(in);
        Optional<String> setting = Optional.ofNullable(text(in));
        Optional<Interval> cores = interval(in);
        Optional<Interval> usd = interval(in);
        OptionalDouble gain = number(in);
        double probability = in.readDouble();
        double days = in.readDouble();
        List<String> doubts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            doubts.add(text(in));
        }
        // What was kept before trust was: believed as it was then, until the next estimate.
        Trust.Verdict trust =
                version < TRUSTED ? Trust.Verdict.SOUND : Trust.Verdict.values()[in.readByte()];
        OptionalDouble rightSizing = version < TRUSTED ? OptionalDouble.empty() : number(in);
        return new TuningOffer.Savings(
                analysedAtUs,
                best,
                fixSet,
                setting,
                cores,
                rightSizing,
                usd,
                gain,
                probability,
                days,
                trust,
                doubts);
    }

    private static TuningOffer risk(long analysedAtUs, DataInput in) throws IOException {
        return new TuningOffer.Risk(
                analysedAtUs,
                text(in),
                number(in),
                interval(in),
                number(in),
                number(in),
                in.readLong());
    }

    private static void text(String value, DataOutput out) throws IOException {
        FramedBytes.write(value == null ? null : value.getBytes(StandardCharsets.UTF_8), out);
    }

    private static String text(DataInput in) throws IOException {
        byte[] bytes = FramedBytes.read(in);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static void number(OptionalDouble value, DataOutput out) throws IOException {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeDouble(value.getAsDouble());
        }
    }

    private static OptionalDouble number(DataInput in) throws IOException {
        return in.readBoolean() ? OptionalDouble.of(in.readDouble()) : OptionalDouble.empty();
    }

    private static void interval(Optional<Interval> value, DataOutput out) throws IOException {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeDouble(value.get().low());
            out.writeDouble(value.get().value());
            out.writeDouble(value.get().high());
        }
    }

    private static Optional<Interval> interval(DataInput in) throws IOException {
        return in.readBoolean()
                ? Optional.of(new Interval(in.readDouble(), in.readDouble(), in.readDouble()))
                : Optional.empty();
    }
}
