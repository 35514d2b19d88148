using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>A committed publish, kept to recognize repetitions.</summary>
/// <param name="PublishId">The publisher's id for it.</param>
/// <param name="BodyHash">The hash of its content.</param>
/// <param name="Release">The release it became.</param>
/// <param name="Generation">That release's generation.</param>
/// <param name="Id">That release's id.</param>
/// <param name="Actor">The publisher. Equal ids in different scopes are different publishes; see <see cref="ActorText.ScopeOf"/>.</param>
/// <param name="TimeUnixMicros">When it was ordered, in microseconds of Unix time, UTC.</param>
internal readonly record struct StoredPublish(
    Guid PublishId, Digest160 BodyHash, ulong Release, uint Generation, Digest160 Id, string Actor, long TimeUnixMicros);
