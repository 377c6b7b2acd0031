<?php
// Expected: the field `bad` is lost, and nothing else.
class First
{
    private int $before = 1;
    private int int $bad = = 2;
    public function after() {}
}
