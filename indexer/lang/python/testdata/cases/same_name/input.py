"""A method and a function of one name, both called. Expected: the calls differ
by what stands before the name.
"""


class Job:
    def run(self):
        return run(self)  # call of the function

    def again(self):
        return self.run()  # call of the method, on self


def run(job):
    job.run()  # call of the method, on job
