namespace Ripple.Admin.Contracts;

/// <summary>
/// Key changes to publish as one release. The expected release is passed in <c>If-Match</c>, the publish id in <c>Idempotency-Key</c>.
/// </summary>
public sealed record PublishRequest
{
    /// <summary>Keys to set, without duplicates.</summary>
    public IReadOnlyList<KeyValue> Set { get; init; } = [];

    /// <summary>Keys to remove.</summary>
    public IReadOnlyList<string> Remove { get; init; } = [];

    /// <summary>What changed and why; may be empty.</summary>
    public string Note { get; init; } = string.Empty;
}
