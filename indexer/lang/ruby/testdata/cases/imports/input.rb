# Expected: eight imports, those relative to the file with a leading "./" or
# "../"; the computed one is left out.
require 'set'
require "json/add/core"
require_relative 'lib/store'
require_relative '../shared'
require_relative "./near"
require File.expand_path('../beside', __FILE__)
require File.join(__dir__, 'under', 'it')
require "plugins/#{name}"
autoload :Lazy, 'lazy/file'

def later
  require 'inside' # an import in a body
end
