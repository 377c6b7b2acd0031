<?php
// Expected: a test by its superclass.
use PHPUnit\Framework\TestCase;

final class StoreTest extends TestCase
{
    public function testSaves(): void
    {
        $this->assertTrue((new Store())->save());
    }
}
