"""Settings of Superset. The official image and the native stack read this same file.

What differs between deployments comes from the environment: where the metadata lives and in which
file the secret key is. There is no default for either, so nothing can start on a known secret.
"""

import os
from pathlib import Path

SECRET_KEY = Path(os.environ["QUOTASCOPE_SUPERSET_SECRET_FILE"]).read_text().strip()
SQLALCHEMY_DATABASE_URI = os.environ["QUOTASCOPE_SUPERSET_METADATA_URI"]

APP_NAME = "Quotascope"

# Nobody sees anything without logging in: the Public role exists and stays empty.
AUTH_ROLE_PUBLIC = "Public"
PUBLIC_ROLE_LIKE = None
AUTH_USER_REGISTRATION = False

# Slow brute force down, in whatever environment this runs.
RATELIMIT_ENABLED = True
AUTH_RATE_LIMITED = True
AUTH_RATE_LIMIT = "10 per 20 second"

WTF_CSRF_ENABLED = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Loopback has no TLS. A deployment behind TLS sets this to "true".
SESSION_COOKIE_SECURE = os.environ.get("QUOTASCOPE_SUPERSET_TLS", "false") == "true"

# Only what this server itself serves may load: that also blocks the telemetry pixel of the shipped front end.
TALISMAN_ENABLED = True
TALISMAN_CONFIG = {
    "content_security_policy": {
        "base-uri": ["'self'"],
        "default-src": ["'self'"],
        "img-src": ["'self'", "blob:", "data:"],
        "worker-src": ["'self'", "blob:"],
        "connect-src": ["'self'"],
        "object-src": "'none'",
        "frame-ancestors": ["'self'"],
        # The chart library sets styles on its elements.
        "style-src": ["'self'", "'unsafe-inline'"],
        "font-src": ["'self'"],
        "script-src": ["'self'", "'strict-dynamic'"],
    },
    "content_security_policy_nonce_in": ["script-src"],
    "force_https": False,
    "session_cookie_secure": SESSION_COOKIE_SECURE,
}

FEATURE_FLAGS = {
    # Scheduled reports need Celery and a metadata server; a command from cron does the same work.
    "ALERT_REPORTS": False,
    # A dashboard opens for the roles that dashboards/roles.yaml names, whatever datasets somebody may read.
    "DASHBOARD_RBAC": True,
    # Templates in SQL would put formulas where nobody tests them.
    "ENABLE_TEMPLATE_PROCESSING": False,
}

# Rows appear once a minute, so half a minute of cache costs no freshness that a reader could see.
DATA_CACHE_CONFIG = {"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 30}
CACHE_CONFIG = {"CACHE_TYPE": "SimpleCache", "CACHE_DEFAULT_TIMEOUT": 30}
ROW_LIMIT = 10000
SUPERSET_WEBSERVER_TIMEOUT = 60
LOG_LEVEL = "WARNING"

# Okabe and Ito's colours, which colour-blind readers tell apart; the dashboards name this scheme.
EXTRA_CATEGORICAL_COLOR_SCHEMES = [
    {
        "id": "quotascope",
        "label": "Quotascope",
        "description": "Okabe and Ito: told apart by colour-blind readers",
        "isDefault": True,
        "colors": [
            "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9",
            "#000000", "#B8A100", "#7F7F7F", "#6A3D9A", "#8C564B", "#17BECF",
        ],
    },
]
