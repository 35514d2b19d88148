namespace Ripple.Admin.Contracts;

/// <summary>The published release. It is committed: durable, and on its way to the nodes.</summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The release.</param>
/// <param name="Id">Its id, 40 hexadecimal digits.</param>
/// <param name="PublishId">The publish id of the request.</param>
public sealed record PublishResult(string Application, uint Generation, ulong Release, string Id, Guid PublishId);
