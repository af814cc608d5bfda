"""Brings the dashboards of this repository into a running Superset and checks them without one."""
