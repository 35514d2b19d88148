using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>A publish that was committed, to recognise it when it is asked for again.</summary>
/// <param name="PublishId">The publisher's name for it.</param>
/// <param name="BodyHash">What was sent, hashed.</param>
/// <param name="Release">The release it became.</param>
/// <param name="Generation">That release's generation.</param>
/// <param name="Id">That release's id.</param>
/// <param name="Actor">Who published: ids of different actors are different publishes.</param>
/// <param name="TimeUnixMicros">When it was ordered, in microseconds of Unix time, UTC.</param>
internal readonly record struct StoredPublish(
    Guid PublishId, Digest160 BodyHash, ulong Release, uint Generation, Digest160 Id, string Actor, long TimeUnixMicros);
