<?php
// Expected: constants of enums, new without parentheses, the pipe, clone with
// properties and constants by name cost nothing; neither do readonly classes,
// types in disjunctive normal form and first-class callables.
enum Level: int
{
    case Low = 1;
    const DEFAULT = self::Low;
    private const string NAME = 'level';
    public const LIST = [1, 2];
    public static function top(): self { return self::Low; }
}

final readonly class Point
{
    public function __construct(public int $x = 0) {}
    public function chained() { return new Client('a')->send()->done(); }
    public function piped($v) { return $v |> trim(...) |> $this->next(...); }
    public function with() { return clone($this, ['x' => 1]); }
    public function named($n) { return self::{$n}; }
    public function dnf((A&B)|null $both): never { throw new Failed(); }
    public function last() { return strlen(...); }
}
