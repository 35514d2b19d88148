using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>A connector that knows which authority the hosts proved to belong to.</summary>
internal interface IClientConnector : ILinkConnector, IAsyncDisposable
{
    /// <summary>The pinned authority's certificate, once a host presented it; null before. Any thread.</summary>
    AuthorityTrust? Authority { get; }
}
