using System.Collections.Immutable;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>A publish whose content was checked and digested; nothing of the application's state was looked at.</summary>
/// <param name="Input">What was asked for.</param>
/// <param name="Changes">The changes, in the order of keys.</param>
/// <param name="Bodies">The values, each digest once.</param>
/// <param name="BodyHash">Names the content: the same publish id with another hash is another publish.</param>
internal sealed record PreparedPublish(
    PublishInput Input, ImmutableArray<KeyChange> Changes, IReadOnlyList<StoredBody> Bodies, Digest160 BodyHash)
{
    /// <summary>
    /// Makes the changes against the state they are ordered on, where they depend on it; null: they are <see cref="Changes"/>. What comes
    /// before a publish in order may still be on its way to the disk, so that nobody else knows that state. Core thread; a pure function.
    /// </summary>
    public Func<ReleaseState, ImmutableArray<KeyChange>>? ChangesOn { get; init; }
}
