using Ripple.Engine.Core;
using Ripple.Engine.Links;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>Connects to hosts over TCP with TLS.</summary>
internal sealed class TlsClientConnector(RequestQueue requests, LinkConnectorOptions options) : IClientConnector
{
    private readonly TlsLinkConnector _connector = new(requests, options);

    public AuthorityTrust? Authority => _connector.Authority;

    public ILinkConnectAttempt Connect(string endpoint, ILinkConnectResult result) => _connector.Connect(endpoint, result);

    public ValueTask DisposeAsync() => _connector.DisposeAsync();
}
