using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>
/// What is read of a store over one connection; <see cref="IHostStore"/> says what each call brings. The thread of the connection.
/// </summary>
internal interface IStoreReader
{
    HostState Load(int publishHorizonCount);

    IReadOnlyList<ReleaseRecord> Releases(uint topic, ulong fromRelease, int bytesMax);

    ReadOnlyMemory<byte>? Body(uint topic, Digest160 digest);

    IReadOnlyList<ReleaseRecord> History(uint topic, ulong beforeRelease, int countMax);

    ReleaseState? State(uint topic, ulong release);

    IReadOnlyList<AuditRecord> Audit(string? application, long beforeNumber, int countMax);

    IReadOnlyList<AccessToken> Tokens();

    IReadOnlyList<RevokedNode> RevokedNodes();
}

/// <summary>A connection that is read over, on the one thread that uses it; that thread disposes of it.</summary>
internal interface IStoreConnection : IDisposable
{
    /// <summary>Runs a read. Null if it succeeded, else what failed: a read that fails breaks nothing else.</summary>
    StoreTrouble? Read(Action<IStoreReader> read);
}
