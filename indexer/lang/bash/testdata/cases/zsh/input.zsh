# zsh: its syntax must lose no function.
autoload -Uz colors is-at-least
typeset -gA COLORS=(red 1 green 2)
for f in $ZSH/lib/*.zsh(N.); do source $f; done

# A brace closes without a semicolon, and ends the line.
short() { echo a }
one two three() { :; } # three names
function four five { :; }
() { local anonymous=1; inner_of_anonymous } arg
function { print anonymous }
glob() {
  local -a files=( **/*.txt(.om[1,3]) )
  files=(${(f)"$(produce)"})
  if [[ $1 == (#b)(*)-([^/]#) ]] { print "${match[1]}" } else { return 1 }
  for x (a b c) print $x
  for k v in ${(kv)COLORS}; do print -- ${k:u}; done
  (( ${+commands[git]} )) && print ok
  case $1 in
    (a|b)) ;;
    (c) short ;|
    *(d|e)*) short ;;
  esac
  local rest=${1#*'}'} y=${${(M)z:#*a}:-b}
  { short } always { one }
  diff =(short) <(one)
}
function git:prefixed() { glob }
single() print one command
after-all() { single }
alias -g G='| grep' -s txt=vi
add-zsh-hook precmd after-all
zle -N glob
