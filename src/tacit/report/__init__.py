"""What people see: certificates, tables and pictures."""

from tacit.core.certificate import Certificate

__all__ = ["Certificate"]
