package io.quotascope.domain.window;

/** Which cgroup hierarchy a collector reads. */
public enum CgroupVersion {
    V1,
    V2,
    /** Version 1 controllers beside a version 2 tree. */
    HYBRID
}
