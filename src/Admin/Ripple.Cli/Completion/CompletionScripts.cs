namespace Ripple.Cli.Completion;

/// <summary>
/// Scripts with which a shell asks this program for completions: <c>ripple "[suggest:POSITION]" "LINE"</c>. The answer contains names
/// chosen by others: the scripts quote them and never let the shell evaluate them.
/// </summary>
internal static class CompletionScripts
{
    private const string Bash = """
        # ripple completion for bash. In ~/.bashrc:  source <(ripple completion bash)
        _ripple_complete() {
            local word="${COMP_WORDS[COMP_CWORD]}" line
            COMPREPLY=()
            while IFS= read -r line; do
                [[ "$line" == "$word"* ]] && COMPREPLY+=("$(printf '%q' "$line")")
            done < <(ripple "[suggest:${COMP_POINT}]" "${COMP_LINE}" 2>/dev/null)
            [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        }
        complete -o default -F _ripple_complete ripple

        """;

    private const string Zsh = """
        # ripple completion for zsh. In ~/.zshrc, behind compinit:  source <(ripple completion zsh)
        _ripple_complete() {
            local -a found
            found=("${(@f)$(ripple "[suggest:${CURSOR}]" "${BUFFER}" 2>/dev/null)}")
            [[ -n "${found[1]}" ]] && compadd -a found || _files
        }
        compdef _ripple_complete ripple

        """;

    private const string PowerShell = """
        # ripple completion for PowerShell. In $PROFILE:  ripple completion pwsh | Out-String | Invoke-Expression
        Register-ArgumentCompleter -Native -CommandName ripple -ScriptBlock {
            param($word, $ast, $position)
            ripple "[suggest:$position]" "$ast" 2>$null | Where-Object { $_ -like "$word*" } | ForEach-Object {
                # Typographic quotes are quotes too; $0 is the quote that was found.
                $text = if ($_ -match '[^\w./:=+-]') { "'" + ($_ -replace '[\x27\u2018-\u201B]', '$0$0') + "'" } else { $_ }
                [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
            }
        }

        """;

    public static string Of(string shell) => shell switch
    {
        "bash" => Bash,
        "zsh" => Zsh,
        _ => PowerShell,
    };
}
