using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>A committed release, encoded for streams. Immutable.</summary>
/// <param name="Generation">Its generation.</param>
/// <param name="Id">Its id.</param>
/// <param name="PreviousId">The id of the release before it.</param>
/// <param name="Message">The encoded message.</param>
/// <param name="StartBytes">The total bytes of all releases ever added before it.</param>
internal sealed record RecentRelease(uint Generation, Digest160 Id, Digest160 PreviousId, byte[] Message, long StartBytes);
