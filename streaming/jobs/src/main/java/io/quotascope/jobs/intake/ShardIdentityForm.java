package io.quotascope.jobs.intake;

import io.quotascope.domain.window.ShardIdentity;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link ShardIdentity} between operators and in state. */
public final class ShardIdentityForm extends WireForm<ShardIdentity> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ShardIdentity> type() {
        return ShardIdentity.class;
    }

    @Override
    protected RecordCodec<ShardIdentity> codec() {
        return Codecs.SHARD_IDENTITIES;
    }
}
