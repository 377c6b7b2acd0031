<?php
// Expected: each of the same names exactly once with its own lines: a method
// and a function `run`, two conditional versions.
class Task {
    public function run() {}
}
function run() {}
if (PHP_VERSION_ID > 80000) {
    function version() { return 8; }
} else {
    function version() { return 7; }
}
(new Task())->run();
run();
