#!/bin/bash
# Damage costs the function it stands in: the next one starts in the first column.
first() { :; }

no_closing_brace() {
  if true; then
    echo x

after_brace() { first; }

open_quote() {
  echo "never closed
}

after_quote() { first; }

open_substitution() {
  x=$(first
}

function after_substitution {
  first
}

open_case() {
  case $1 in
    a) first ;;
}

after_case() { first; }
}
fi
done ) ;;
after_stray() { first; }
open_heredoc() {
  cat <<EOF
text
  EOF
}
last() { first; }
