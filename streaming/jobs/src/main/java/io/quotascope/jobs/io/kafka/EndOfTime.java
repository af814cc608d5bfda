package io.quotascope.jobs.io.kafka;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;

/** States at once that no time is to be waited for. */
final class EndOfTime<T> implements WatermarkGenerator<T> {

    @Override
    public void onEvent(T event, long timestamp, WatermarkOutput output) {
        output.emitWatermark(Watermark.MAX_WATERMARK);
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {
        output.emitWatermark(Watermark.MAX_WATERMARK);
    }
}
