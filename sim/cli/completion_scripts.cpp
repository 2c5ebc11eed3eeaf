#include "cli/completion_scripts.hpp"

namespace joulecast::cli {

const std::string_view kBashCompletion = R"BASH(# bash completion of joulecast, made by `joulecast docs bash`.
_joulecast() {
  local word line candidate kind strip='' glue='' current i
  local -a words=() lines=()
  # Bash breaks words at = and :, which stand in keys and values here.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#words[@]})) && [[ $glue || $word == [=:]* ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    glue=''
    [[ $word == *[=:] ]] && glue=yes
  done
  current=${words[-1]}
  local quote=''
  [[ $current == [\"\']* ]] && quote=${current:0:1}
  for i in "${!words[@]}"; do
    word=${words[i]#[\"\']}
    word=${word%[\"\']}
    words[i]=${word//\\/}
  done
  mapfile -t lines < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
  kind=${lines[0]}
  current=${words[-1]}
  [[ $COMP_WORDBREAKS == *=* && $current == *=* ]] && strip=${current%"${current##*=}"}
  COMPREPLY=()
  case $kind in
    files) mapfile -t COMPREPLY < <(compgen -f -- "${current#"$strip"}") ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "${current#"$strip"}") ;;
    toml) mapfile -t COMPREPLY < <(compgen -f -X '!*.toml' -- "$current"; compgen -d -- "$current") ;;
  esac
  [[ $kind == words ]] || compopt -o filenames 2>/dev/null
  for line in "${lines[@]:1}"; do
    candidate=${line%%$'\t'*}
    candidate=${candidate#"$strip"}
    [[ $quote ]] || printf -v candidate '%q' "$candidate"
    COMPREPLY+=("$candidate")
  done
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[.=] ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _joulecast joulecast
)BASH";

const std::string_view kZshCompletion = R"ZSH(#compdef joulecast
# zsh completion of joulecast, made by `joulecast docs zsh`.
_joulecast() {
  local -a lines whole whole_text open open_text
  local line candidate text
  lines=("${(@f)$(_call_program values ${(q)words[1]} complete ${(@q)${(@Q)words[2,CURRENT]}} 2>/dev/null)}")
  case $lines[1] in
    files) _files && return ;;
    folders) _files -/ && return ;;
    toml) _files -g '*.toml' && return ;;
  esac
  for line in "${(@)lines[2,-1]}"; do
    [[ -n $line ]] || continue
    candidate=${line%%$'\t'*}
    text=${line#*$'\t'}
    [[ $text == $line ]] && text=''
    if [[ $candidate == *[.=] ]]; then
      open+=("$candidate")
      open_text+=("$candidate${text:+  -- $text}")
    else
      whole+=("$candidate")
      whole_text+=("$candidate${text:+  -- $text}")
    fi
  done
  (( $#open )) && compadd -S '' -l -d open_text -a open
  (( $#whole )) && compadd -l -d whole_text -a whole
  (( $#open + $#whole ))
}
if [[ $funcstack[1] == _joulecast ]]; then
  _joulecast "$@"
else
  compdef _joulecast joulecast
fi
)ZSH";

const std::string_view kFishCompletion = R"FISH(# fish completion of joulecast, made by `joulecast docs fish`.
function __joulecast_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] complete $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case files toml
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
    end
    if test (count $lines) -gt 1
        printf '%s\n' $lines[2..-1]
    end
end
complete -c joulecast -f -a '(__joulecast_complete)'
)FISH";

}  // namespace joulecast::cli
