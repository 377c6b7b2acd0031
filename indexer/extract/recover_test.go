package extract_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
)

// A syntax error costs at most the definition it stands in: one definition of a
// file is damaged at a random place in each way, and every definition outside
// it must be found on its line.
func TestDamageCostsOneDefinition(t *testing.T) {
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	for name, source := range map[string]string{"a.go": goProgram, "a.py": pythonProgram, "a.ts": typescriptProgram} {
		p := plan(table, name)
		whole := x.Extract([]byte(source), p)
		if len(whole.Damage) > 0 {
			t.Fatalf("%s: the undamaged program is damaged at %v", name, whole.Damage)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for i := range whole.Symbols {
			victim := &whole.Symbols[i]
			if victim.Kind != facts.KindFunction && victim.Kind != facts.KindMethod && (victim.Parent >= 0 || victim.Kind == facts.KindVariable) || victim.Flags&facts.InBody != 0 {
				continue
			}
			for _, token := range []string{"{", "}", "(", ")", ":", "\"", "]", ","} {
				at := placesOf(source, token, victim.Span)
				if len(at) == 0 {
					continue
				}
				k := at[r.IntN(len(at))]
				damaged := []byte(source[:k] + source[k+len(token):])
				got := x.Extract(damaged, p)
				if lost := lostOutside(whole, got, victim); lost != "" {
					t.Errorf("%s: without the %q at byte %d, line %d, in %s %s: %s", name, token, k, 1+strings.Count(source[:k], "\n"), victim.Kind, victim.Name, lost)
				}
			}
		}
	}
}

func placesOf(source, token string, in facts.Span) []int {
	var out []int
	for at := int(in.Start); at < int(in.End); at++ {
		if strings.HasPrefix(source[at:], token) {
			out = append(out, at)
		}
	}
	return out
}

func lostOutside(whole, got *facts.File, victim *facts.Symbol) string {
	found := map[string]bool{}
	for i := range got.Symbols {
		s := &got.Symbols[i]
		found[fmt.Sprintf("%s %s @%d", s.Kind, s.Name, s.Line)] = true
	}
	for i := range whole.Symbols {
		s := &whole.Symbols[i]
		if s.Span.Start < victim.Span.End && victim.Span.Start < s.Span.End {
			continue
		}
		if key := fmt.Sprintf("%s %s @%d", s.Kind, s.Name, s.Line); !found[key] {
			return key + " is lost"
		}
	}
	return ""
}

// Text that looks like a definition inside a string of several lines is none,
// damage elsewhere or not.
func TestDamageMakesNoPhantoms(t *testing.T) {
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	for name, source := range map[string]string{
		"a.go": "package p\n\nfunc hurt( {\n\nvar text = `\nfunc Phantom() {}\ntype Phantom2 struct{}\n`\n\nfunc after() {}\n",
		"a.py": "def hurt(:\n    pass\n\ntext = \"\"\"\ndef Phantom():\n    pass\nclass Phantom2:\n    pass\n\"\"\"\n\ndef after():\n    pass\n",
		"a.ts": "function hurt( {\n\nconst text = `\nfunction Phantom() {}\nclass Phantom2 {}\n`\n\nfunction after() {}\n",
	} {
		f := x.Extract([]byte(source), plan(table, name))
		after := false
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if strings.HasPrefix(s.Name, "Phantom") {
				t.Errorf("%s: %s of line %d is text in a string", name, s.Name, s.Line)
			}
			after = after || s.Name == "after"
		}
		if !after {
			t.Errorf("%s: the definition after the string is lost", name)
		}
	}
}

// More broken pieces than are cut out cost no more than themselves either.
func TestManyBrokenDefinitions(t *testing.T) {
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var b strings.Builder
	b.WriteString("package p\n\n")
	const n = 600
	for i := range n {
		fmt.Fprintf(&b, "func good%d() int { return %d }\n\nfunc bad%d( {\n\tx := 1\n}\n\n", i, i, i)
	}
	f := x.Extract([]byte(b.String()), plan(table, "a.go"))
	good := 0
	for i := range f.Symbols {
		if strings.HasPrefix(f.Symbols[i].Name, "good") {
			good++
		}
	}
	if good < n*9/10 {
		t.Errorf("%d of %d whole definitions found between broken ones", good, n)
	}
	if !bytes.Contains([]byte(f.Package), []byte("p")) {
		t.Error("the package is lost")
	}
}

const goProgram = `// Package shop sells.
package shop

import (
	"fmt"
	str "strings"
)

// Item is one.
type Item struct {
	Name  string
	Price map[string]int
}

type Seller interface {
	Sell(item Item) (int, error)
}

const limit = 10

var table = map[string]func(int) int{
	"a": func(n int) int { return n + 1 },
	"b": func(n int) int { return n - 1 },
}

// Total adds.
func (i *Item) Total(currency string) (sum int, err error) {
	if p, ok := i.Price[currency]; ok {
		return p, nil
	}
	for _, r := range []string{"x", "y"} {
		sum += len(str.ToUpper(r))
	}
	return 0, fmt.Errorf("no %q: %v", currency, i.Price)
}

func New(name string) *Item {
	return &Item{Name: name, Price: map[string]int{"eur": 1, "usd": 2}}
}

func (i Item) String() string { return fmt.Sprintf("%s (%d)", i.Name, len(i.Price)) }

type pair[K comparable, V any] struct {
	key K
	val V
}

func Map[T, U any](in []T, f func(T) U) []U {
	out := make([]U, 0, len(in))
	for _, v := range in {
		out = append(out, f(v))
	}
	return out
}

func last() {}
`

const pythonProgram = `"""A shop."""
import os
from typing import List


LIMIT = 10


def first(name: str, sizes: List[int]) -> str:
    """Says "hello"."""
    if name in ("a", "b"):
        return "x" + name
    return os.path.join(name, str(sizes[0]))


class Item:
    """One thing."""

    kind = "item"

    def __init__(self, name, price={"eur": 1}):
        self.name = name
        self.price = price

    def total(self, currency: str) -> int:
        for key, value in self.price.items():
            if key == currency:
                return value
        raise KeyError("no {}".format(currency))

    @property
    def label(self):
        return "%s (%d)" % (self.name, len(self.price))


@decorate(option="x")
def second(*args, **kwargs):
    table = {"a": [1, 2], "b": (3, 4)}
    return table[args[0]]


class Box(Item):
    def put(self, item):
        self.items.append(item)

    def get(self, index):
        return self.items[index]


def last():
    return None
`

const typescriptProgram = `/** A shop. */
import { a, b } from "./x";

export interface Item {
  name: string;
  price: Map<string, number>;
}

export const limit = 10;

export function first(name: string, sizes: number[]): string {
  if (["a", "b"].includes(name)) {
    return "x" + name;
  }
  return a({ name: name, size: sizes[0] });
}

export class Box<T> {
  private items: T[] = [];

  constructor(readonly name: string, start: { count: number }) {
    this.items = b(start.count, "x");
  }

  put(item: T): void {
    this.items.push(item);
  }

  get(index: number): T {
    if (index < 0) {
      throw new Error("no " + index);
    }
    return this.items[index];
  }
}

export type Pair<K, V> = { key: K; value: V };

export enum Color {
  Red = "red",
  Green = "green",
}

export const arrow = (x: number): number => {
  return [x, x + 1].map((y) => y * 2)[0];
};

export default function last(): void {}
`
