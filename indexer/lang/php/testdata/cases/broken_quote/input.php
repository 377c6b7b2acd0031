<?php
// Expected: a quote is missing in `broken`; the methods around it are there.
class First
{
    public function before() { return 'a'; }

    public function broken()
    {
        return 'never closed;
    }

    public function after() { return 'b'; }
}
