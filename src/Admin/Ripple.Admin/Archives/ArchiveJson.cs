using System.Text.Json;
using System.Text.Json.Serialization;

namespace Ripple.Admin.Archives;

/// <summary>JSON serialization of manifests. Does not use reflection.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web, WriteIndented = true, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(ArchiveManifest))]
internal sealed partial class ArchiveJson : JsonSerializerContext;
