using Ripple.Admin;
using Ripple.Trust;

namespace Ripple.PowerShell.Pipeline;

/// <summary>
/// The clients of this process by their connection strings: who connects again to the same hosts with the same token opens no further
/// sockets, of which a host takes few. At most <see cref="KeptMax"/> are kept; one that is dropped is not disposed, as a connection may
/// still use it, and its idle sockets close by themselves. Thread-safe.
/// </summary>
internal static class KnownClients
{
    /// <summary>Maximum number of clients kept.</summary>
    public const int KeptMax = 16;

    private static readonly Lock ClientsLock = new();
    private static readonly List<(string Key, RippleAdminClient Client)> Clients = [];

    /// <summary>The client of a connection string.</summary>
    public static RippleAdminClient Get(ConnectionString connection)
    {
        // The text without the secret, and the secret's hash.
        string key = $"{connection} {(connection.Token is { } token ? Convert.ToHexString(token.Hash.Span) : string.Empty)}";
        lock (ClientsLock)
        {
            int index = Clients.FindIndex(c => c.Key == key);
            (string Key, RippleAdminClient Client) found = index >= 0
                ? Clients[index]
                : (key, new RippleAdminClient(connection, new RippleAdminOptions { UserAgent = "Ripple.PowerShell" }));
            if (index >= 0)
            {
                Clients.RemoveAt(index);
            }
            else if (Clients.Count == KeptMax)
            {
                Clients.RemoveAt(0);
            }

            Clients.Add(found);
            return found.Client;
        }
    }
}
