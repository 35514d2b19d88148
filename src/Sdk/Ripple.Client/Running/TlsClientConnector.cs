using Ripple.Engine.Core;
using Ripple.Transports.Control;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>Connects to hosts over TCP with TLS.</summary>
internal sealed class TlsClientConnector(RequestQueue requests, ControlConnectorOptions options) : IClientConnector
{
    private readonly TlsControlConnector _connector = new(requests, options);

    public AuthorityTrust? Authority => _connector.Authority;

    public IControlConnectAttempt Connect(string endpoint, IControlConnectResult result) => _connector.Connect(endpoint, result);

    public ValueTask DisposeAsync() => _connector.DisposeAsync();
}
