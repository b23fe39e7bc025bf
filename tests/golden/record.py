"""``python -m tests.golden.record [NAME ...]``: write golden values as they are now."""

import json
import sys

from tests.golden.golden import HERE, RECORDS


def main(names: list[str]) -> None:
    """Record the named sets of values, or all of them."""
    for name in names or list(RECORDS):
        found = RECORDS[name]()
        lines = (
            f"{json.dumps(entry, ensure_ascii=False)}: {json.dumps(found[entry], sort_keys=True)}"
            for entry in sorted(found)
        )
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (HERE / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{name}: {len(found)} entries")


if __name__ == "__main__":
    main(sys.argv[1:])
