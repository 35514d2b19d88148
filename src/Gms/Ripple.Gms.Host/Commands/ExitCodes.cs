namespace Ripple.Gms.Host.Commands;

/// <summary>Exit codes of the program.</summary>
internal static class ExitCodes
{
    /// <summary>The command succeeded.</summary>
    public const int Done = 0;

    /// <summary>The command failed; one line states the problem and the remedy.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;
}
