using System.Text.Json;
using System.Text.Json.Serialization;
using Ripple.Admin.Archives;
using Ripple.Admin.Contracts;
using Ripple.Admin.Git;
using Ripple.Admin.Holders;

namespace Ripple.Cli.Output;

/// <summary>JSON of what is this program's own, in the manner of the contracts. No reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Problem))]
[JsonSerializable(typeof(PublishReport))]
[JsonSerializable(typeof(ReadValue))]
[JsonSerializable(typeof(ReleaseHolders))]
[JsonSerializable(typeof(ArchiveManifest))]
[JsonSerializable(typeof(GitImportResult))]
internal sealed partial class CliJson : JsonSerializerContext;
