"""What people see: certificates, tables and pictures."""

from tacit.report.certificate import Certificate

__all__ = ["Certificate"]
