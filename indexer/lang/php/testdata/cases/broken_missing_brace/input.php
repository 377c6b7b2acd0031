<?php
// Expected: the brace that closes `broken` is missing; the methods below stay
// methods of the class, and Second is a class.
class First
{
    public function before()
    {
        return 1;
    }

    public function broken()
    {
        if ($ready) {
            return 2;

    public function after()
    {
        return 3;
    }
}

class Second
{
    public function fine() {}
}
