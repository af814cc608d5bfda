package io.quotascope.domain.cfs.service;

/** One time that a request was asked for. */
final class Attempt {
    private final Request request;
    private final int number;
    private final long timesOutUs;
    private int tasksLeft;
    private boolean waitedFor = true;

    Attempt(Request request, int number, long timesOutUs) {
        this.request = request;
        this.number = number;
        this.timesOutUs = timesOutUs;
        tasksLeft = request.taskWorkUs().length;
    }

    Request request() {
        return request;
    }

    /** 0 for the first attempt. */
    int number() {
        return number;
    }

    long timesOutUs() {
        return timesOutUs;
    }

    /** Whether the client still waits for this attempt. */
    boolean isWaitedFor() {
        return waitedFor;
    }

    void leave() {
        waitedFor = false;
    }

    /** One task is done; the answer is whether it was the last. */
    boolean taskDone() {
        tasksLeft--;
        return tasksLeft == 0;
    }
}
