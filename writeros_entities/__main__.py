"""`python -m writeros_entities`: the command line, for when its script is not on the path."""

from writeros_entities.surfaces.cli import main

if __name__ == "__main__":
    main()
