using Ripple.Admin;

namespace Ripple.PowerShell.Pipeline;

/// <summary>The cluster that the cmdlets talk to: one in a process, so that parallel runspaces share it. Any thread.</summary>
internal static class RippleSession
{
    private static RippleAdminClient? _client;

    /// <summary>Null before <c>Connect-Ripple</c>.</summary>
    public static RippleAdminClient? Client => Volatile.Read(ref _client);

    /// <summary>The one connected to.</summary>
    /// <exception cref="CmdletException">There is none.</exception>
    public static RippleAdminClient Require() =>
        Client
            ?? throw new CmdletException(
                ErrorCodes.NotConnected,
                "There is no connection to a cluster. Run Connect-Ripple first, with the connection string of an "
                    + "administrator or a publisher.");

    /// <summary>
    /// Replaces it, or ends it with null. The one before is left to what another runspace still does with it; its idle connections close by
    /// themselves.
    /// </summary>
    public static void Use(RippleAdminClient? client) => Interlocked.Exchange(ref _client, client);
}
