"""The offline reference: recomputes every table from the messages of the log, in plain Python, slow and obvious.

It is written from schemas/README.md and shares no code with the jobs, so that agreement means something.
"""
