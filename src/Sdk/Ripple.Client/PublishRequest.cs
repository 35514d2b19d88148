namespace Ripple.Client;

/// <summary>Key changes to release together. Immutable.</summary>
public sealed record PublishRequest
{
    /// <summary>The application; null for the client's own.</summary>
    public string? Application { get; init; }

    /// <summary>Names this publish: asked again with the same id and content, it is done once. Default a new one.</summary>
    public Guid PublishId { get; init; } = Guid.NewGuid();

    /// <summary>
    /// The newest release the publisher knows: the publish is refused when there is a newer one. Null for any; 0 for an application without
    /// releases.
    /// </summary>
    public ulong? ExpectedRelease { get; init; }

    /// <summary>What changed and why, for people; up to 2,048 bytes of UTF-8.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>
    /// Keys to set, with their values. A key that ends in <c>.json</c> must hold a document that .NET's configuration accepts. The bytes
    /// must not change until the publish ends.
    /// </summary>
    public IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Set { get; init; } = new Dictionary<string, ReadOnlyMemory<byte>>();

    /// <summary>Keys to remove.</summary>
    public IReadOnlyCollection<string> Remove { get; init; } = [];
}
