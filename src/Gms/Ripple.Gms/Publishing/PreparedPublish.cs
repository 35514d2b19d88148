using System.Collections.Immutable;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>A publish whose content was checked and digested, independently of the application's state.</summary>
/// <param name="Input">The request.</param>
/// <param name="Changes">The changes, in the order of keys.</param>
/// <param name="Bodies">The values, one per digest.</param>
/// <param name="BodyHash">Hash of the content. A publish id used again with another hash is refused.</param>
internal sealed record PreparedPublish(
    PublishInput Input, ImmutableArray<KeyChange> Changes, IReadOnlyList<StoredBody> Bodies, Digest160 BodyHash)
{
    /// <summary>
    /// Computes the changes against the state they are ordered on, when they depend on it; null to use <see cref="Changes"/>. Earlier
    /// publishes may still be on their way to the disk, so that state is known only at ordering. Core thread; a pure function.
    /// </summary>
    public Func<ReleaseState, ImmutableArray<KeyChange>>? ChangesOn { get; init; }

    /// <summary>The past release whose values it needs, which must still be kept when it is ordered; null for none.</summary>
    public ulong? BackTo { get; init; }
}
