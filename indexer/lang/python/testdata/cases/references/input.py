"""References. Expected: every use of a name that is no local and no builtin,
with the definition around it; a call of a method carries the shape of its
receiver.
"""
import pkg.mod as mod
from .base import Base, Error, helper, Config


class Repo(Base, mod.Other):  # inherits Base, and Other of mod
    store: "Store"

    def save(self, item: mod.Item, config: Config | None = None) -> "mod.Result":
        local = Factory()
        local.run()  # call of run on local
        self.store.put(item.key)  # call of put on self.store
        helper(local)  # call of helper, not of local
        items[0].load().close()  # calls of load on items[] and of close on items[].load()
        print(len(item))  # builtins are no references
        save(item)  # the function below, not this method
        if isinstance(item, (Error, mod.Bad)):  # two types
            item.fix()  # here item is bound as one of them
        try:
            pass
        except Error as err:  # a type; err is bound with it
            raise mod.Failure(err) from err
        with mod.lock() as held, other() as (x, y):
            held.go()
        for row in self.rows():
            row.emit()
        for key, value in self.table.items():
            value.use()
        names = [n.title for n in mod.names if n.ok]
        async_result = mod.start()
        super().save(item)
        return cast("Config", item)

    def shadow(self, helper, mod):
        helper()  # a parameter: no reference
        mod.call()  # call of call on the parameter mod

        def nested():
            return helper, Config  # only Config is a reference

        return nested()  # the nested function

    def counted(self):
        global counter
        counter = counter + 1  # use of the module's counter
        return f"{counter} {self.store.name!r} {fmt(Config)}"


def literals(mode: Literal["Config", mod.MODE], kind: "mod.Kind") -> None:
    """Config in the first is a value; MODE is a use of a value, Kind a type."""


def wrapped():
    def inner(): pass

    inner = helper(inner)  # the nested function, although it is assigned to
    return inner


def save(item):
    match item:
        case Config(path=p):  # a type; p is bound
            return p
        case [mod.A, *rest] | {"k": rest}:
            return rest
        case Base() as known if known.ok:
            return known
    value = None or Config()
    value = value if value else Base()
    later = lambda q, r=Config: q + value + Error
    return await_it(value)


counter = 0
save(counter)
print("a" + undefined_name)
