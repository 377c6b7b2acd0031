# -*- coding: utf-8 -*-
"""Python 2. Expected: no definition is lost to the old syntax."""
import urllib2
from sets import Set


class Old:
    __metaclass__ = Meta

    def show(self, (a, b), c=0777):
        print "value: %s" % a, b
        print >>sys.stderr, "x"
        try:
            exec "code" in {}
        except (IOError, OSError), e:
            raise Failure, "message"
        if a <> b:
            return `a`

    def after(self):
        print
        return ur"x", 10L


def last():
    print "end"
