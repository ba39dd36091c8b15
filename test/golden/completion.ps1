# Completion of svcd in PowerShell.
Register-ArgumentCompleter -Native -CommandName svcd -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    # Older versions drop an empty argument.
    $current = if ($wordToComplete) { $wordToComplete } else { '""' }
    svcd --get-yargs-completions @before $current 2>$null | ForEach-Object {
        $word, $what = $_ -split "`t", 2
        if (-not $what) { $what = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $what)
    }
}
