"""Rules for stores. The rest is detail."""

# Expected: docstring as summary; a rule and a provider with their members, a
# macro with its docstring, a private function, a constant; calls of bodies.

load("//lib:paths.bzl", "paths")

DEFAULT_SIZE = 10

# About the info.
StoreInfo = provider(
    doc = "What a store gives away.",
    fields = {
        "files": "Depset of files.",
        "size": "Number of values.",
    },
)

OldInfo = provider(fields = ["a", "b"])

def _store_impl(ctx):
    x = paths.join("a", "b")
    def inner(y):
        return y
    return [StoreInfo(files = ctx.files, size = 1)]

store = rule(
    implementation = _store_impl,
    attrs = {
        "srcs": attr.label_list(
            allow_files = True,
            doc = "Sources of the store.",
        ),
        "_tool": attr.label(default = "//tools:pack"),
    },
    doc = "Builds a store.",
)

def store_macro(name, srcs = [], *args, **kwargs):
    """Declares a store and its test.

    Args:
      name: of the store
    """
    store(name = name, srcs = srcs)
    native.sh_test(
        name = name + "_test",
    )

def typed(x: int) -> str:
    return str(x)

if DEFAULT_SIZE:
    LATE = struct(a = 1)

stores = struct(
    declare = store_macro,
    _hidden = _store_impl,
    size = 10,
)
