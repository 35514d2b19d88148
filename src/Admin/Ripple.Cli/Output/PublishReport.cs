using Ripple.Admin.Contracts;

namespace Ripple.Cli.Output;

/// <summary>The release made by a publish, a rollback or an import, and the result of waiting for it.</summary>
/// <param name="Published">The release.</param>
/// <param name="Wait">The result of the wait; null if none was requested.</param>
internal sealed record PublishReport(PublishResult Published, WaitResult? Wait);
