#!/usr/bin/env bash
# Brings the metadata up to date, sets the administrator's password from its file, and serves.
set -euo pipefail

main() {
  superset db upgrade
  superset init
  local password
  password="$(cat /run/secrets/superset_admin)"
  superset fab create-admin --username admin --firstname Quotascope --lastname Admin --email admin@localhost --password "$password" >/dev/null
  superset fab reset-password --username admin --password "$password" >/dev/null
  exec gunicorn --bind 0.0.0.0:8088 --workers 2 --worker-class gthread --threads 8 --timeout 120 "superset.app:create_app()"
}

main "$@"
