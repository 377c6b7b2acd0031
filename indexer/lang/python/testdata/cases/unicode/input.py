"""Größe und 大小 – 🐍 before everything. Expected: names and lines exact."""
größe = "ä" * 3  # é combining
名前 = "🐍🐍"


class Schüler:
    """Lernt viel。Zweiter Satz."""

    def é(self, ñ: "Schüler") -> "名前型":
        return "👩‍👩‍👧" + ñ.größe()


def after(): return Schüler()
