#!/bin/sh
# Here-documents hold text: nothing in them is a definition.
usage() {
  cat <<EOF
fake() {
$(real_call)
}
EOF
  cat <<-'TABS' | sed s/a/b/
	quoted() { $(not_called) }
	TABS
}
cat <<A <<"B"
one() { :; }
A
two() { :; }
B
cat <<<"here string" >"$OUT"
text='three() { :; }
four() { :; }
'
after() { usage; }
x=$((1 << 2))
last() { :; }
