<?php
// Expected: Real and its method only.
$a = 'class Fake {} function fake() {}';
$b = "function {$x->call()} no() {}";
$c = <<<EOT
class Fake1 { function f() {} }
  {$y->inside()}
EOT;
$d = <<<'EOT'
function fake2() {}
EOT;
# function fake3() {}
/* class Fake4 {} */
class Real
{
    public function method() { return <<<SQL
        function f5() {}
        SQL; }
}
