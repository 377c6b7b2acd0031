# Copyright 2020 Someone. All rights reserved.

# Expected: YARD tags, directives and lines are dropped; a comment behind code
# belongs to nothing; a blank line parts a comment from what follows.

# Keeps users.
#
# @example
#   Users.new
# @param name [String] the name
#   that goes on here
class Users
  # rubocop:disable Metrics/MethodLength
  # Adds a user. Then more.
  # @return [User]
  def add; end # behind the code

  def plain; end

  # Far above.

  def apart; end

  # @deprecated use add
  def old; end

  # Typed by Sorbet.
  sig { params(x: Integer).void }
  def typed(x); end

  # Wrapped.
  private def wrapped; end

  # Holds the size.
  SIZE = 3
end
