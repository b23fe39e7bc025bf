"""Theorems as functions: how many records suffice (``upper``), how many are needed (``lower``).

Arguments are exact, answers are rounded outward, and every function is tied to its
theorem by ``@theorem``. Nothing here touches data.
"""
