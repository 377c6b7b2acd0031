<?php
// Expected: `broken` does not parse; it is there by its header, and everything
// around it keeps its container.
namespace App;

class First
{
    public function before() { return 1; }

    public function broken(int $a)
    {
        $value = [1, (2;
        if ($a) {
            return ->;
        }
    }

    private function after() { return 2; }
}

function top() {}
