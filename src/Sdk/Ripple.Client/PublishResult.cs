using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <summary>A committed release: durable on the required disks; every node will receive it.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">Its generation.</param>
/// <param name="Release">The release.</param>
/// <param name="Id">Its id.</param>
/// <param name="PublishId">The publish that produced it.</param>
public sealed record PublishResult(string Application, uint Generation, ulong Release, Digest160 Id, Guid PublishId);
