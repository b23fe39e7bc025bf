"""Learners made of one-way communication protocols."""
