#!/usr/bin/env ruby
# frozen_string_literal: true

# Converts one file to another. Reads standard input by default.

# Expected: an entry point; the summary is the sentence above, main is a
# function, options a binding and no definition.

require 'optparse'

def main(argv)
  puts argv
end

options = OptionParser.new
options.parse!

if __FILE__ == $PROGRAM_NAME
  main(ARGV)
end
