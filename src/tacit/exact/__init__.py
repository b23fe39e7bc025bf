"""Exact arithmetic and exact sampling: no float ever decides a private draw.

``entropy``    fair bits from the operating system
``balls``      certified real numbers, rounded in the safe direction
``lazy``       a uniform real of which only the bits that matter are drawn
``coins``      Bernoulli(p) and Bernoulli(exp(-x))
``geometric``  two-sided geometric noise
``levels``     the exponential mechanism's choice, float-fast and exact
``flips``      permute-and-flip's choice
"""
