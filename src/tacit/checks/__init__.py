"""What checks the package, and anybody else's mechanisms: attacks, audits, tools for tests."""
