using Ripple.Admin;

namespace Ripple.PowerShell.Pipeline;

/// <summary>The cluster the cmdlets are connected to: one per process, shared by parallel runspaces. Thread-safe.</summary>
internal static class RippleSession
{
    private static RippleAdminClient? _client;

    /// <summary>The connected client; null before <c>Connect-Ripple</c>.</summary>
    public static RippleAdminClient? Client => Volatile.Read(ref _client);

    /// <summary>The connected client.</summary>
    /// <exception cref="CmdletException">There is no connection.</exception>
    public static RippleAdminClient Require() =>
        Client
            ?? throw new CmdletException(
                ErrorCodes.NotConnected,
                "There is no connection to a cluster. Run Connect-Ripple first, with the connection string of an "
                    + "administrator or a publisher.");

    /// <summary>
    /// Replaces the client, or removes it with null. The previous client is not disposed, as another runspace may still use it; its idle
    /// connections close by themselves.
    /// </summary>
    public static void Use(RippleAdminClient? client) => Interlocked.Exchange(ref _client, client);
}
