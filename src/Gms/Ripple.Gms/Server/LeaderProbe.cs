using System.Security.Cryptography.X509Certificates;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// Asks other hosts of a cluster, over the control channel, who leads: a leader that is sure of it says that it does, a standby says who
/// does, and who does not know says nothing. For a host that does not reach the database. Any thread.
/// </summary>
/// <param name="authority">The fingerprint of the cluster's authority: another's answer counts for nothing.</param>
/// <param name="own">Where this host is.</param>
/// <param name="certificate">The certificate of this host.</param>
internal sealed class LeaderProbe(ReadOnlyMemory<byte> authority, HostEndpoint own, Func<X509Certificate2> certificate)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(1);

    /// <summary>True if a host says that another than this one leads. Takes a second at most.</summary>
    public async Task<bool> SaysThatAnotherLeadsAsync(HostEndpoint host, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(Timeout);
        try
        {
            TlsClientConnection connection = await TlsClientConnection.OpenAsync(
                host,
                new LinkConnectorOptions { Authority = authority, TcpTimeout = Timeout },
                new NodeCertificate(certificate()).Context,
                limit.Token).ConfigureAwait(false);
            await using (connection.ConfigureAwait(false))
            {
                (ushort type, byte[] body) = await LinkFrames.ReadAsync(connection.Stream, limit.Token).ConfigureAwait(false);
                return type == LinkFrameType.Goodbye
                    && LinkRefusal.TryRead(body, out LinkRefusal answer)
                    && answer.Leader is { } leader
                    && leader != own;
            }
        }
        catch (Exception e) when (e is LinkConnectException or OperationCanceledException or IOException or InvalidDataException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return false;
        }
    }
}
