"""`python -m spanwise` is the command line."""

from spanwise.cli import main

if __name__ == "__main__":
    main()
