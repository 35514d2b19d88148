namespace Ripple.Admin.Contracts;

/// <summary>
/// Key changes to be released together. The expected release stands in <c>If-Match</c>, the publish id in <c>Idempotency-Key</c>.
/// </summary>
public sealed record PublishRequest
{
    /// <summary>Keys to set; no key twice.</summary>
    public IReadOnlyList<KeyValue> Set { get; init; } = [];

    /// <summary>Keys to remove.</summary>
    public IReadOnlyList<string> Remove { get; init; } = [];

    /// <summary>What changed and why; may be empty.</summary>
    public string Note { get; init; } = string.Empty;
}
