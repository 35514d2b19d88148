using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>What a publisher asked for, before anything was checked.</summary>
/// <param name="Application">The application.</param>
/// <param name="PublishId">The publisher's name for the publish.</param>
/// <param name="ExpectedRelease">The newest release the publisher knows; <see cref="ulong.MaxValue"/> for any.</param>
/// <param name="Note">What changed and why.</param>
/// <param name="Keys">The keys; no key twice.</param>
internal sealed record PublishInput(
    string Application, Guid PublishId, ulong ExpectedRelease, string Note, IReadOnlyList<PublishInputKey> Keys)
{
    /// <summary>Where it came from, for distributed traces; null when that is not known.</summary>
    public TraceContext? Trace { get; init; }
}
