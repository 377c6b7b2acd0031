<?php
// Expected: every name of use on its own with its whole path, and the files of
// require with "./" where they are named from the directory of the file.
namespace App;

use Vendor\Package\Tool as Hammer, Plain;
use Vendor\{First, Second as Two, function helper};
use function Vendor\run;
use const Vendor\LIMIT;

require __DIR__ . '/bootstrap.php';
require_once dirname(__FILE__) . '/lib/it.php';
include 'plain.php';
include_once dirname(__DIR__) . '/up.php';
require __DIR__ . '/../beside.php';
require $computed . '.php';

function later() { require 'inside.php'; }
