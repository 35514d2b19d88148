using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Api;

/// <summary>What the admin API works on. Any thread.</summary>
internal sealed class ApiContext
{
    /// <summary>The way to the core.</summary>
    public required HostGateway Gateway { get; init; }

    /// <summary>The store, for what is not an application's: tokens, roles, the audit.</summary>
    public required IHostStore Store { get; init; }

    /// <summary>The tokens, as the store has them now.</summary>
    public required AccessTokenList Tokens { get; init; }

    /// <summary>The time of day.</summary>
    public required IWallClock Clock { get; init; }

    /// <summary>The cluster.</summary>
    public required Id128 ClusterId { get; init; }

    /// <summary>The host's name.</summary>
    public required string HostName { get; init; }

    /// <summary>SHA-256 of the authority's certificate.</summary>
    public required ReadOnlyMemory<byte> AuthorityFingerprint { get; init; }

    /// <summary>What nodes connect to; known once the host listens.</summary>
    public required Func<HostEndpoint> Endpoint { get; init; }

    /// <summary>Told of exceptions that no code expects: faults of the host.</summary>
    public required Action<string, Exception> OnFault { get; init; }
}
