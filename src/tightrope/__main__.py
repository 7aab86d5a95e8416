"""`python -m tightrope` is the command `tightrope`."""

from tightrope.cli import main

if __name__ == "__main__":
    main()
