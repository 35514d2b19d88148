using Ripple.Admin.Contracts;

namespace Ripple.Cli.Output;

/// <summary>What a publish, a rollback or an import made, and how waiting for it ended.</summary>
/// <param name="Published">The release.</param>
/// <param name="Wait">How the wait ended; null when none was asked for.</param>
internal sealed record PublishReport(PublishResult Published, WaitResult? Wait);
