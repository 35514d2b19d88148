using System.Text.Json;
using System.Text.Json.Serialization;

namespace Ripple.Admin.Archives;

/// <summary>The description of an archive: its <c>manifest.json</c>.</summary>
public sealed record ArchiveManifest
{
    /// <summary>The required value of <see cref="Format"/>.</summary>
    public const string KnownFormat = "ripple-archive";

    /// <summary>The only <see cref="Version"/> that is understood.</summary>
    public const int KnownVersion = 1;

    /// <summary>The format: <see cref="KnownFormat"/>.</summary>
    public required string Format { get; init; }

    /// <summary>The version of the format.</summary>
    public required int Version { get; init; }

    /// <summary>The application it was exported from.</summary>
    public required string Application { get; init; }

    /// <summary>The generation it was exported from.</summary>
    public required uint Generation { get; init; }

    /// <summary>The release whose state it contains.</summary>
    public required ulong Release { get; init; }

    /// <summary>The id of that release, 40 hexadecimal digits.</summary>
    public required string ReleaseId { get; init; }

    /// <summary>When that release was ordered, UTC.</summary>
    public required DateTimeOffset Time { get; init; }

    /// <summary>The keys, ordered by their UTF-8 bytes.</summary>
    public required IReadOnlyList<ArchiveKey> Keys { get; init; }
}

/// <summary>JSON serialization of manifests. Does not use reflection.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web, WriteIndented = true, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(ArchiveManifest))]
internal sealed partial class ArchiveJson : JsonSerializerContext;
