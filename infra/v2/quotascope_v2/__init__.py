"""The kernel tests on cgroup v2 with the cpu controller, in a virtual machine."""
