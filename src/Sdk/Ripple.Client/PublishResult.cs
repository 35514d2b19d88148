using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <summary>A committed release: it is on the disks that must have it, and will be at every node.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">The release.</param>
/// <param name="Id">Its id.</param>
/// <param name="PublishId">The publish it came of.</param>
public sealed record PublishResult(string Application, uint Generation, ulong Release, Digest160 Id, Guid PublishId);
