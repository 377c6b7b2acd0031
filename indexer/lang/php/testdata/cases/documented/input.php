<?php
// Expected: types of documentation where the code says less; members that only
// documentation defines, out of the outline; classes mixed in; what conditions
// tell of variables.
namespace App;

/**
 * A front.
 *
 * @template TItem of Item<int, X> what
 * @template-covariant TKey
 * @property-read array<int, Item> $items all of them
 * @property Item|null $first
 * @method static \Store open(string $path)
 * @method $this close()
 * @method static fresh()
 * @mixin Builder<Item>
 * @phpstan-ignore x
 */
class Front
{
    use Calls {
        Calls::call as protected macroCall;
        quit as private;
    }

    /** @var array<string, list<Item>> */
    private array $byName = [];

    /**
     * @param Item[] $items
     * @param  \Closure(int $x): Item  $make
     * @param $wrong
     * @phpstan-param list<Item> $items
     * @return Collection<int, Item>|null Some.
     */
    public function all(array $items, $make, &...$rest): Collection
    {
        /** @var Item $one */
        $one = $this->find();
        /** @var list<Item> */
        $two = find();
        if ($one instanceof Draft && $this->byName instanceof \Map) {
            $one->publish();
        } elseif (!$two instanceof Draft) {
            return null;
        } else {
            $two->publish();
        }
        if (!($two instanceof Other) || $one instanceof X) {
            throw new \Exception();
        }
        $two->other();
        $r = $two instanceof A || $two instanceof B ? $two->ab() : null;
        assert($r instanceof Item);
        return $r instanceof C && $r->c() ?: $f(...);
    }

    /**
     * @template T of Item
     * @param T $item
     * @return T
     */
    public function bounded($item) {}

    public function closures($list)
    {
        $list->where('x', function ($query, int $n, $third = 1) { $query->go(); })->map(fn ($x) => $x->y);
        each(each: $list, then: static fn (&$item) => $item->z);
    }

    /** @return $this */
    public function same(): static {}

    /** @return mixed|($x is string ? A : B) */
    public function conditional($x) {}
}

return new class extends Base {
    use Calls;
};
