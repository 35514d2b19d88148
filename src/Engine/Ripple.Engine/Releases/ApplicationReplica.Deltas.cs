using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <content>
/// Values that travelled as deltas. They are made when it is the release's turn, for only then is the state there whose values they are
/// made from: the received one, in effect or not.
/// </content>
internal sealed partial class ApplicationReplica
{
    private VerifiedRelease? _deltasApplied;

    /// <summary>
    /// Makes the missing values of the next release from their deltas, once. What is not made is missing still, and is fetched: where this
    /// node has no base, and where a delta leads to something else, which somebody made up.
    /// </summary>
    private void ApplyDeltas(VerifiedRelease release)
    {
        if (release.Message.Deltas is not { } deltas || ReferenceEquals(release, _deltasApplied))
        {
            return;
        }

        _deltasApplied = release;
        if (release.Message.Shared?.Bodies is { } made)
        {
            release.Bodies = made;
            return;
        }

        ImmutableArray<KeyChange> changes = release.Message.Header.Changes;
        bool isWhole = true;
        int madeBytes = 0;
        for (int i = 0; i < changes.Length; i++)
        {
            if (release.Bodies[i] is null && deltas[i] is { } delta && _isWanted(changes[i].Key))
            {
                release.Bodies[i] = Apply(release, changes[i], delta);
                madeBytes += release.Bodies[i]?.Length ?? 0;
            }

            isWhole &= release.Bodies[i] is not null || changes[i].Operation != KeyOperation.Set;
        }

        if (isWhole)
        {
            // Made once for all nodes of this core.
            release.Message.Shared?.SetMade(release.Bodies, madeBytes);
        }
    }

    private ReadOnlyMemory<byte>? Apply(VerifiedRelease release, KeyChange change, ReadOnlyMemory<byte> delta)
    {
        if (!_received.Values.TryGetValue(change.Key, out ReadOnlyMemory<byte> source))
        {
            // It began to take the key since, or the base was not to be had.
            return null;
        }

        byte[] value = new byte[change.Length];
        if (ValueDelta.TryApply(delta.Span, source.Span, value) && ContentDigest.Compute(value) == change.Digest)
        {
            return value;
        }

        _handler.OnRefused(this, new IntakeRefusal(
            "a value: its delta does not lead to its digest", release.Message.Header.Release, change.Key, change.Digest)
        {
            IsKept = true,
            Sealer = release.Sealer,
        });
        return null;
    }
}
