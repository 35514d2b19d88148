namespace Ripple.Cli;

/// <summary>The program's exit codes.</summary>
internal static class ExitCodes
{
    /// <summary>The command succeeded.</summary>
    public const int Done = 0;

    /// <summary>The command line, a file it refers to or the connection is not valid.</summary>
    public const int Usage = 1;

    /// <summary>The host refused, or the request conflicts with the current state.</summary>
    public const int Refused = 2;

    /// <summary>A wait did not hold; the members responsible were listed.</summary>
    public const int NotHeld = 3;

    /// <summary>The token is not valid, or does not allow the call.</summary>
    public const int Unauthorised = 4;

    /// <summary>No host, or no trusted host, could be reached.</summary>
    public const int Unreachable = 5;

    /// <summary>A fault of this program or of the host.</summary>
    public const int Internal = 70;

    /// <summary>Canceled, for example with Ctrl-C.</summary>
    public const int Cancelled = 130;
}
