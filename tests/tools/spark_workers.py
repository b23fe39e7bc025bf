"""Forks Spark's Python workers as pyspark's own daemon does, after what counting needs is imported."""

if __name__ == "__main__":
    from importlib import import_module

    for name in ("pyarrow", "tacit.sources.spark", "tacit.tallies.kernels"):
        import_module(name)
    import_module("pyspark.daemon").manager()
