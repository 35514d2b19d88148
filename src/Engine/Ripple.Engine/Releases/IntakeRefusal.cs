namespace Ripple.Engine.Releases;

/// <summary>Something received for an application that is not what its primary released, or that a host does not have. Immutable.</summary>
/// <param name="Why">What it is, and what is wrong with it; for a log.</param>
/// <param name="Release">The release it belongs to; 0 when that is not known.</param>
/// <param name="Key">The key of a value; null when it is no value.</param>
/// <param name="Digest">The digest that a value must have.</param>
internal sealed record IntakeRefusal(string Why, ulong Release = 0, string? Key = null, Digest160 Digest = default);
