<?php
// Expected: the file ends inside a method; the class around it and the methods
// before it are there.
namespace App;

class First extends Base
{
    private $field = 1;

    public function before() { return 1; }

    /** Documented. */
    private function hidden(int $a) { return $a; }

    public function cut()
    {
        $value = call(1,
