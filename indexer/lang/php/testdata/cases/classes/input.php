<?php
// Expected: classes, interfaces, traits and enums with their bases and members;
// attributes stand in no signature; parameters of the constructor that have a
// visibility are fields of the class.
declare(strict_types=1);

namespace App\Billing;

/**
 * An invoice. It knows no taxes.
 *
 * @property int $magic
 */
#[Entity(table: 'invoices')]
abstract class Invoice extends Document implements Printable, \Countable
{
    use Logs, Traced {
        Logs::log insteadof Traced;
    }

    const A = 1, B = self::A + 1;
    final protected const string NAME = 'x';

    public static ?int $count = null, $other;
    private readonly Foo|Bar $either;
    var $old = [];

    /** @var Client[] */
    protected $clients;

    /** Makes one. */
    public function __construct(
        private readonly Client $client,
        protected int $retries = 3,
        ?Item ...$items
    ) {
        $this->client = $client;
        parent::__construct();
    }

    #[\Override]
    abstract protected function total(int $tax, &$sum): static;

    /**
     * Finds one.
     * @return self|null
     * @deprecated
     */
    public static function find($id) { return null; }

    function unmarked() {}
}

interface Printable extends Sized, Shown
{
    const WIDTH = 80;
    public function print(): void;
}

trait Logs
{
    protected $lines = [];
    abstract public static function level(): int;
    public function log(string $text) { $this->lines[] = $text; }
}

enum Suit: string implements HasLabel
{
    case Hearts = 'H';
    /** Black. */
    case Spades = 'S';

    public function label(): string
    {
        return match ($this) { Suit::Hearts => 'red', default => g(1) };
    }
}

enum Plain { case One; }

final class Closed {}
