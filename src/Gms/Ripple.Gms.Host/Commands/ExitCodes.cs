namespace Ripple.Gms.Host.Commands;

/// <summary>What the program tells its caller.</summary>
internal static class ExitCodes
{
    /// <summary>Done.</summary>
    public const int Done = 0;

    /// <summary>It failed; one line says what and what to do.</summary>
    public const int Failed = 1;

    /// <summary>The command line is wrong.</summary>
    public const int Usage = 2;
}
