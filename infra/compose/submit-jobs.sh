#!/usr/bin/env bash
# Submits each job that is not running yet. Arguments: the address of the JobManager.
set -euo pipefail

readonly jobmanager="$1"
readonly jar=/opt/quotascope/quotascope-jobs.jar
readonly jobs=(
  io.quotascope.jobs.IngestJob
  io.quotascope.jobs.inputs.InputsJob
  io.quotascope.jobs.threads.ThreadsJob
  io.quotascope.jobs.throttling.ThrottlingJob
  io.quotascope.jobs.hours.HoursJob
  io.quotascope.jobs.rank.RankJob
  io.quotascope.jobs.HostsJob
  io.quotascope.jobs.AlertsJob
  io.quotascope.jobs.risk.RiskJob
  io.quotascope.jobs.whatif.WhatIfJob
  io.quotascope.jobs.savings.SavingsJob
  io.quotascope.jobs.verification.VerificationJob
)

main() {
  local running job
  running="$(/opt/flink/bin/flink list --jobmanager "$jobmanager" --running)"
  for job in "${jobs[@]}"; do
    if grep --quiet --fixed-strings ": ${job##*.} (" <<<"$running"; then
      echo "$job runs already"
      continue
    fi
    /opt/flink/bin/flink run --jobmanager "$jobmanager" --detached --class "$job" "$jar" --config /opt/quotascope/jobs.properties
  done
}

main "$@"
