<?php
// Expected: functions and constants of the file; closures are none; h is a
// function that stands under a condition; global variables have their first
// assignment only.

/** Adds. */
function add(int $a, int ...$more): ?int { return $a; }
function &byReference(array &$list) { return $list; }

if (!function_exists('h')) {
    function h(string $text) { return htmlspecialchars($text); }
}

/** The root. */
define('APP_ROOT', __DIR__);
const TOP = 1, SECOND = 'two';

$config = new Config(TOP);
$config = null;
$run = function (int $x) use ($config): int { return $x; };
$double = fn($x) => $x * 2;

function outer()
{
    $local = 1;
    function inner() {}
    class Inside { public $field; }
    define('LATE', 2);
    return new class($local) extends Base implements Shown {
        public function anonymous() {}
    };
}

return new class extends Migration {
    public function up() { $this->create(); }
};
