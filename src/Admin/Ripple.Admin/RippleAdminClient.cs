using System.Runtime.CompilerServices;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;
using Ripple.Trust;

namespace Ripple.Admin;

/// <summary>
/// A typed client of a cluster's admin API. Thread-safe: create one and share it. Every call throws <see cref="RippleAdminException"/> if
/// it fails, and <see cref="OperationCanceledException"/> if its token is canceled. Calls that are safe to repeat are retried, trying the
/// hosts of the connection string in turn.
/// </summary>
public sealed partial class RippleAdminClient : IDisposable
{
    private readonly RippleAdminOptions _options;
    private readonly AdminHttp _http;

    /// <summary>Creates a client; it connects on the first call.</summary>
    /// <param name="connection">The hosts, their authority and the token. Its application and zone are not used.</param>
    /// <param name="options">Null for the defaults.</param>
    public RippleAdminClient(ConnectionString connection, RippleAdminOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        _options = options ?? new RippleAdminOptions();
        _http = new AdminHttp(connection, _options);
    }

    /// <summary>Creates a client whose requests are carried by another handler.</summary>
    internal RippleAdminClient(ConnectionString connection, RippleAdminOptions options, HttpMessageHandler handler) =>
        (_options, _http) = (options, new AdminHttp(connection, options, handler));

    /// <summary>Creates a client from the text of a connection string.</summary>
    /// <exception cref="FormatException">The text is not a connection string; the message never contains the token.</exception>
    public static RippleAdminClient Connect(string connectionString, RippleAdminOptions? options = null) =>
        new(ConnectionString.Parse(connectionString), options);

    /// <summary>Information about the cluster.</summary>
    public Task<ClusterInfo> GetClusterAsync(CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get($"{AdminRoutes.Prefix}/cluster"), AdminJson.Default.ClusterInfo, cancellationToken);

    /// <summary>The caller's identity, as seen by the host.</summary>
    public Task<Identity> GetIdentityAsync(CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get($"{AdminRoutes.Prefix}/whoami"), AdminJson.Default.Identity, cancellationToken);

    /// <summary>Closes the connections.</summary>
    public void Dispose() => _http.Dispose();

    /// <summary>All items, fetched page by page as they are read.</summary>
    /// <param name="page">Returns the path of a page for its cursor, which is null for the first page.</param>
    /// <param name="type">The JSON type of a page.</param>
    /// <param name="cancellationToken">Cancels the enumeration.</param>
    private async IAsyncEnumerable<T> PagesAsync<T>(
        Func<string?, string> page, JsonTypeInfo<Page<T>> type, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        string? cursor = null;
        do
        {
            Page<T> answer = await _http.SendAsync(HttpCall.Get(page(cursor)), type, cancellationToken).ConfigureAwait(false);
            foreach (T item in answer.Items)
            {
                yield return item;
            }

            cursor = answer.Next;
        }
        while (cursor is not null);
    }
}
