#!/bin/bash
# Known loss: what eval defines is text, and a name made by an expansion is none.
eval 'from_eval() { :; }'
for kind in a b; do
  eval "${kind}_made() { :; }"
done
alias "$kind"=ls
real() { from_eval; a_made; }
real
