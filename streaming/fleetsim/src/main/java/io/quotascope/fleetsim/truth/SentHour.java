package io.quotascope.fleetsim.truth;

/**
 * Windows of the shards of one service and class in an hour, by what became of them.
 *
 * @param startUs start of the hour, microseconds since the Unix epoch
 * @param stated windows that their hosts said they had sent
 * @param arrived of those, the ones that arrived
 * @param mute windows of hosts of which nothing came
 */
public record SentHour(long startUs, long stated, long arrived, long mute) {
    /** No window yet. */
    public static SentHour of(long startUs) {
        return new SentHour(startUs, 0, 0, 0);
    }

    /** With the windows of a further minute. */
    public SentHour plus(long moreStated, long moreArrived, long moreMute) {
        return new SentHour(startUs, stated + moreStated, arrived + moreArrived, mute + moreMute);
    }

    /** Whether anything is missing. */
    public boolean lacks() {
        return mute > 0 || arrived < stated;
    }
}
