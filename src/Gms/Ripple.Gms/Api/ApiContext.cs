using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Api;

/// <summary>Services and identity shared by the admin API's routes. Any thread.</summary>
internal sealed class ApiContext
{
    /// <summary>Access to the core.</summary>
    public required HostGateway Gateway { get; init; }

    /// <summary>The store, for data that belongs to no application: tokens, roles, the audit.</summary>
    public required IHostStore Store { get; init; }

    /// <summary>The tokens, in the store's current version.</summary>
    public required AccessTokenList Tokens { get; init; }

    /// <summary>The most tokens naming an application up to which its administrators may make more.</summary>
    public int TokensPerApplicationMax { get; init; } = new GmsOptions().TokensPerApplicationMax;

    /// <summary>The time of day.</summary>
    public required IWallClock Clock { get; init; }

    /// <summary>The cluster's id.</summary>
    public required Id128 ClusterId { get; init; }

    /// <summary>The host's name.</summary>
    public required string HostName { get; init; }

    /// <summary>SHA-256 of the authority's certificate.</summary>
    public required ReadOnlyMemory<byte> AuthorityFingerprint { get; init; }

    /// <summary>The endpoint that nodes connect to; known once the host listens.</summary>
    public required Func<HostEndpoint> Endpoint { get; init; }

    /// <summary>Called with the address of each caller whose credential is not good here. Any thread. Default: nothing.</summary>
    public Action<string> OnWrongCredential { get; init; } = static _ => { };

    /// <summary>Called with the request and an unexpected exception: a fault of the host.</summary>
    public required Action<string, Exception> OnFault { get; init; }
}
