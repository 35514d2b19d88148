using System.Runtime.CompilerServices;
using System.Text.Json.Serialization.Metadata;
using Ripple.Admin.Contracts;
using Ripple.Admin.Http;
using Ripple.Trust;

namespace Ripple.Admin;

/// <summary>
/// The admin API of a cluster, typed. Any thread; make one and share it. Every call throws <see cref="RippleAdminException"/> when it
/// fails, and <see cref="OperationCanceledException"/> when its token was cancelled. What may be asked again is, over the hosts of the
/// connection string in turn.
/// </summary>
public sealed partial class RippleAdminClient : IDisposable
{
    private readonly RippleAdminOptions _options;
    private readonly AdminHttp _http;

    /// <summary>Makes a client; it connects with the first call.</summary>
    /// <param name="connection">The hosts, their authority and the token. Its application and zone are not used.</param>
    /// <param name="options">Null for the defaults.</param>
    public RippleAdminClient(ConnectionString connection, RippleAdminOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(connection);
        _options = options ?? new RippleAdminOptions();
        _http = new AdminHttp(connection, _options);
    }

    /// <summary>Makes a client whose requests another handler carries.</summary>
    internal RippleAdminClient(ConnectionString connection, RippleAdminOptions options, HttpMessageHandler handler) =>
        (_options, _http) = (options, new AdminHttp(connection, options, handler));

    /// <summary>Makes a client from the text of a connection string.</summary>
    /// <exception cref="FormatException">The text is not one; the message never contains the token.</exception>
    public static RippleAdminClient Connect(string connectionString, RippleAdminOptions? options = null) =>
        new(ConnectionString.Parse(connectionString), options);

    /// <summary>The cluster.</summary>
    public Task<ClusterInfo> GetClusterAsync(CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get($"{AdminRoutes.Prefix}/cluster"), AdminJson.Default.ClusterInfo, cancellationToken);

    /// <summary>Who the host takes the caller for.</summary>
    public Task<Identity> GetIdentityAsync(CancellationToken cancellationToken = default) =>
        _http.SendAsync(HttpCall.Get($"{AdminRoutes.Prefix}/whoami"), AdminJson.Default.Identity, cancellationToken);

    /// <summary>Gives the connections back.</summary>
    public void Dispose() => _http.Dispose();

    /// <summary>Every item, page by page as it is read.</summary>
    /// <param name="page">Makes the path of a page from its cursor, null for the first.</param>
    /// <param name="type">The pages.</param>
    /// <param name="cancellationToken">Gives up.</param>
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
