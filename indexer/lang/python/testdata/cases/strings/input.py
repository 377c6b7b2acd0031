"""Code inside strings. Expected: class Real and function real, nothing fake."""
from textwrap import dedent

x = dedent("""
class Fake:
    def fake(self): pass
""")
y = '''
def also_fake():
    pass
'''
z = f"""
class Formatted:
    {real()}
"""


class Real:
    "Docs in plain quotes."
    template = r"""def not_me(): pass"""


def real():
    """Says
    def doc_fake(): pass
    """
