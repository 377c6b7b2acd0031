"""Tabs and blanks mixed. Expected: both classes and all four methods."""


class A:
	def one(self):
		return 1

        def two(self):
		return 2


class B:
    def three(self):
	return 3

    def four(self):
        if True:
	        return 4
        return 5
