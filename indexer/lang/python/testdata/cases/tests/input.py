"""A test file. Expected: marked as test code."""
import unittest


class ThingTest(unittest.TestCase):
    def setUp(self):
        self.thing = Thing()

    def test_it(self):
        self.assertEqual(self.thing.run(), 1)
