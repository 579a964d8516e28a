"""Keyless evidence checks: rules that find faults in a claim and never certify one."""
