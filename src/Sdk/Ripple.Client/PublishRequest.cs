namespace Ripple.Client;

/// <summary>Key changes to publish as one release. Immutable.</summary>
public sealed record PublishRequest
{
    /// <summary>The application; null for the client's own.</summary>
    public string? Application { get; init; }

    /// <summary>Identifies this publish: repeated with the same id and content, it is released only once. Default: a new id.</summary>
    public Guid PublishId { get; init; } = Guid.NewGuid();

    /// <summary>
    /// The newest release known to the publisher: the publish is refused if there is a newer one. Null for no check; 0 for an application
    /// without releases.
    /// </summary>
    public ulong? ExpectedRelease { get; init; }

    /// <summary>
    /// The generation of <see cref="ExpectedRelease"/>. Together they mean one release for ever; with null, the number is compared with the
    /// newest release of whatever generation is the present one, which after a restore may be another release of that number.
    /// </summary>
    public uint? ExpectedGeneration { get; init; }

    /// <summary>What changed and why, for display; up to 2,048 bytes of UTF-8.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>
    /// Keys to set, with their values. A key that ends in <c>.json</c> must contain a document that .NET configuration accepts. The bytes
    /// must not change until the publish completes.
    /// </summary>
    public IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Set { get; init; } = new Dictionary<string, ReadOnlyMemory<byte>>();

    /// <summary>Keys to remove.</summary>
    public IReadOnlyCollection<string> Remove { get; init; } = [];
}
