using System.Text.Json;
using System.Text.Json.Serialization;
using Ripple.Admin.Archives;
using Ripple.Admin.Contracts;
using Ripple.Admin.Git;
using Ripple.Admin.Holders;

namespace Ripple.Cli.Output;

/// <summary>JSON serialization of this program's own types, in the style of the contracts. Does not use reflection.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(Problem))]
[JsonSerializable(typeof(PublishReport))]
[JsonSerializable(typeof(ReadValue))]
[JsonSerializable(typeof(ReleaseHolders))]
[JsonSerializable(typeof(ArchiveManifest))]
[JsonSerializable(typeof(GitImportPlan))]
[JsonSerializable(typeof(GitImportResult))]
internal sealed partial class CliJson : JsonSerializerContext;
