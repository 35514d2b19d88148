using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>An application's state at a release.</summary>
/// <param name="Release">The release without bodies; the keys can be verified against its state root.</param>
/// <param name="Keys">The whole key table, in <see cref="KeyOrder"/>.</param>
internal sealed record StateRecord(ReleaseRecord Release, IReadOnlyList<StoredKey> Keys);
