namespace Ripple.PowerShell.Completion;

/// <summary>Completes the keys of the application given earlier on the command line, where wildcards are taken.</summary>
public sealed class KeyPatternCompleter : KeyCompleter
{
    private protected override bool IsPattern => true;
}
