"""Superset: a login of its own for each instance, and nothing without logging in."""

import json
import urllib.error
import urllib.request

import pytest


def post(url, body):
    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        return json.load(reply)


def test_login_needs_the_generated_password_and_pages_carry_a_strict_policy(stack):
    stack.start("superset")
    url = stack.endpoints()["superset"]
    login = {"username": "admin", "provider": "db"}
    token = post(f"{url}/api/v1/security/login", {**login, "password": stack.secret("superset_admin")})["access_token"]
    assert token
    with pytest.raises(urllib.error.HTTPError) as refused:
        post(f"{url}/api/v1/security/login", {**login, "password": "admin"})
    assert refused.value.code == 401
    with pytest.raises(urllib.error.HTTPError) as anonymous:
        urllib.request.urlopen(f"{url}/api/v1/chart/", timeout=30)
    assert anonymous.value.code in (401, 403)
    with urllib.request.urlopen(f"{url}/login/", timeout=30) as page:
        policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe-eval" not in policy and "http" not in policy
