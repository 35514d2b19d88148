namespace Ripple.Cli;

/// <summary>What the program tells its caller.</summary>
internal static class ExitCodes
{
    /// <summary>Done.</summary>
    public const int Done = 0;

    /// <summary>The command line, a file it names or the connection is wrong.</summary>
    public const int Usage = 1;

    /// <summary>The host refused, or it conflicts with what is there.</summary>
    public const int Refused = 2;

    /// <summary>A wait did not hold; who kept it from holding was named.</summary>
    public const int NotHeld = 3;

    /// <summary>The token is not good, or does not allow it.</summary>
    public const int Unauthorised = 4;

    /// <summary>No host could be reached, or none that can be trusted.</summary>
    public const int Unreachable = 5;

    /// <summary>A fault of this program or of the host.</summary>
    public const int Internal = 70;

    /// <summary>Cancelled, as with Ctrl-C.</summary>
    public const int Cancelled = 130;
}
