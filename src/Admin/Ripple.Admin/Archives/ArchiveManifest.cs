namespace Ripple.Admin.Archives;

/// <summary>What an archive says of itself: its <c>manifest.json</c>.</summary>
public sealed record ArchiveManifest
{
    /// <summary>What <see cref="Format"/> must be.</summary>
    public const string KnownFormat = "ripple-archive";

    /// <summary>The newest <see cref="Version"/> that is understood.</summary>
    public const int KnownVersion = 1;

    /// <summary>What it is: <see cref="KnownFormat"/>.</summary>
    public required string Format { get; init; }

    /// <summary>The version of the format.</summary>
    public required int Version { get; init; }

    /// <summary>The application it was taken from.</summary>
    public required string Application { get; init; }

    /// <summary>The generation it was taken from.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release whose state it holds.</summary>
    public required ulong Release { get; init; }

    /// <summary>The id of that release, 40 hexadecimal digits.</summary>
    public required string ReleaseId { get; init; }

    /// <summary>When that release was ordered, UTC.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>The keys, in the order of the bytes of their UTF-8.</summary>
    public required IReadOnlyList<ArchiveKey> Keys { get; init; }
}
