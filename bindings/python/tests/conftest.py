"""What all tests need."""

import signal

# A shell starts programs in the background with Ctrl-C ignored, and Python leaves it so: tests of Ctrl-C would wait.
signal.signal(signal.SIGINT, signal.default_int_handler)
