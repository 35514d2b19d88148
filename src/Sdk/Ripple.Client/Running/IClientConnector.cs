using Ripple.Engine.Core;
using Ripple.Trust;

namespace Ripple.Client.Running;

/// <summary>A connector that tells which authority it met.</summary>
internal interface IClientConnector : IControlConnector, IAsyncDisposable
{
    /// <summary>The pinned authority, once a host showed it; null before. Any thread.</summary>
    AuthorityTrust? Authority { get; }
}
