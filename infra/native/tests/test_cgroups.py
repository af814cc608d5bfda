"""Whether real cgroups can be had is found out by trying, and the reason is said."""

import pytest
from quotascope_native import cgroups


def v1(root):
    for name in cgroups.V1_TREES:
        (root / name).mkdir()
        (root / name / "cgroup.procs").write_text("")


def test_writable_v1_trees_serve_and_nothing_is_left_of_the_trial(tmp_path):
    v1(tmp_path)
    assert cgroups.obstacle(tmp_path) is None
    assert cgroups.left_over(tmp_path) == []


def test_a_v1_machine_without_the_pids_tree_is_refused(tmp_path):
    v1(tmp_path)
    (tmp_path / "pids" / "cgroup.procs").unlink()
    assert "pids" in cgroups.obstacle(tmp_path)


def test_v2_without_the_cpu_controller_is_refused(tmp_path):
    (tmp_path / "cgroup.controllers").write_text("memory pids\n")
    assert "cpu controller" in cgroups.obstacle(tmp_path)


def test_v2_with_the_cpu_controller_serves(tmp_path):
    (tmp_path / "cgroup.controllers").write_text("cpuset cpu memory pids\n")
    assert cgroups.obstacle(tmp_path) is None


def test_a_tree_that_cannot_be_written_is_named(tmp_path):
    v1(tmp_path)
    # A file where the folder must be refuses even root.
    (tmp_path / "cpu" / cgroups.FOLDER).write_text("")
    reason = cgroups.obstacle(tmp_path)
    assert str(tmp_path / "cpu" / cgroups.FOLDER) in reason and "cannot be created" in reason


def test_removal_takes_the_deepest_first_and_reports_what_stays(tmp_path):
    v1(tmp_path)
    (tmp_path / "cpu" / cgroups.FOLDER / "lab" / "service" / "shard-0").mkdir(parents=True)
    assert cgroups.remove(tmp_path) == []
    stuck = tmp_path / "cpu" / cgroups.FOLDER / "lab"
    stuck.mkdir(parents=True)
    (stuck / "file").write_text("")
    assert stuck in cgroups.remove(tmp_path, within_s=0.1)


def test_the_cgroups_of_another_instance_are_left_alone(tmp_path):
    v1(tmp_path)
    other = tmp_path / "cpu" / cgroups.FOLDER / "e2e" / "service"
    other.mkdir(parents=True)
    (tmp_path / "pids" / cgroups.FOLDER / cgroups.LAB).mkdir(parents=True)
    assert cgroups.remove(tmp_path) == []
    assert other.is_dir() and not (tmp_path / "pids" / cgroups.FOLDER).exists()


@pytest.mark.parametrize("names", [(), ("cpu",)])
def test_a_machine_without_cgroups_is_refused(tmp_path, names):
    for name in names:
        (tmp_path / name).mkdir()
    assert "neither" in cgroups.obstacle(tmp_path)
