<?php
// Expected: hooks (PHP 8.4) are newer than the grammar; the properties and all
// around them are there, and what the hooks hold is not.
class User
{
    public string $name {
        get => $this->first . '}' . $this->last;
        set(string $value) {
            if ($value) { $this->first = $value; }
        }
    }
    public private(set) int $age = 1;
    private(set) string $only;
    protected array $list = array(1, 2) { get { return $this->list; } }

    public function __construct(
        public string $mail { set => strtolower($value); },
        private int $plain = 0,
    ) {
        $this->plain = 1;
    }

    public function after(): int { return 1; }
}

interface Named
{
    public string $title { get; }
    public function title(): string;
}

abstract class Half
{
    abstract public string $need { get; set; }
    public function have() {}
}
