#!/usr/bin/env python3
# Copyright 2024 The Authors. All rights reserved.
# Licensed under the MIT license.
"""Runs it. Expected: an entry point whose main function is marked."""
import sys


def main(argv):
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
