package main

// powershellCompletion asks the program like the other scripts. Words are those
// before the cursor; the one at it is given along when it is an option.
const powershellCompletion = `Register-ArgumentCompleter -Native -CommandName project-map -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() })
  if ($words.Count -eq 0) { return }
  $rest = @($words | Select-Object -Skip 1)
  if ($wordToComplete.StartsWith('-')) { $rest += $wordToComplete }
  & $words[0] @rest '--generate-bash-completion' 2>$null |
    Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`
