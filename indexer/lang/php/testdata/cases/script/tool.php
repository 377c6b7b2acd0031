#!/usr/bin/env php
<?php
/**
 * Moves files about. Takes two arguments.
 */

// Expected: an entry point with the summary above.
require 'vendor/autoload.php';

main($argv);
