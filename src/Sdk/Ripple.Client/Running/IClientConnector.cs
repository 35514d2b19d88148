using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>A connector that knows the authority the hosts proved to belong to.</summary>
internal interface IClientConnector : ILinkConnector, IAsyncDisposable
{
    /// <summary>The pinned authority's certificate; null until a host has presented it. Thread-safe.</summary>
    AuthorityTrust? Authority { get; }
}
