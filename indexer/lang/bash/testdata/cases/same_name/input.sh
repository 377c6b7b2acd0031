# Two definitions of one name, by system: each exactly once with its own lines.
if [ "$(uname)" = Darwin ]; then
  # For macOS.
  open_it() { open "$1"; }
else
  # For the others.
  open_it() {
    xdg-open "$1"
  }
fi
open_it x
