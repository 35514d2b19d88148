using System.Collections.Immutable;

namespace Ripple.Engine.Releases;

/// <content>
/// Values that travelled in a short form. They are made when it is the release's turn: a delta, for only then is the state there whose
/// values it is made from, the received one, in effect or not; and what is compressed, for then it is known that it is needed.
/// </content>
internal sealed partial class ApplicationReplica
{
    /// <summary>
    /// Makes the missing values of the next release from their short forms, once. What is not made is missing still, and is fetched: where
    /// this node has no base, and where a form leads to something else, which somebody made up.
    /// </summary>
    private void MakeValues(VerifiedRelease release)
    {
        if (release.Message.ShortForms is not { } forms || release.AreFormsTried)
        {
            return;
        }

        release.AreFormsTried = true;
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
            if (release.Bodies[i] is null && forms[i] is { } form && _isWanted(changes[i].Key))
            {
                release.Bodies[i] = Make(release, changes[i], form);
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

    private ReadOnlyMemory<byte>? Make(VerifiedRelease release, KeyChange change, ShortForm form)
    {
        if (!_received.Values.TryGetValue(change.Key, out ReadOnlyMemory<byte> source) && form.IsDelta)
        {
            // It began to take the key since, or the base was not to be had.
            return null;
        }

        byte[] value = new byte[change.Length];
        if (form.TryMake(source.Span, value) && ContentDigest.Compute(value) == change.Digest)
        {
            return value;
        }

        string why = form.IsDelta ? "a value: its delta does not lead to its digest" : "a value: what is compressed is another";
        _handler.OnRefused(this, new IntakeRefusal(why, release.Message.Header.Release, change.Key, change.Digest)
        {
            IsKept = true,
            Sealer = release.Sealer,
        });
        return null;
    }
}
