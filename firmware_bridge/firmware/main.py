"""Runs at power-up on the roller; MicroPython calls the file of this name by itself."""

if __name__ == "__main__":
    from roller.pico import run  # type: ignore[import-not-found]  # on the roller this folder is the root

    run()
