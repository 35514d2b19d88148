using System.Text.Encodings.Web;
using System.Text.Json;

namespace Ripple.Mutants.Running;

/// <summary>How verdicts are written: one line each, with names as other programs' output has them.</summary>
internal static class VerdictJson
{
    private static readonly JsonSerializerOptions Options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static string Write(Verdict verdict) => JsonSerializer.Serialize(verdict, Options);

    public static string Write(RunTotals totals) => JsonSerializer.Serialize(totals, Options);

    public static Verdict Read(string line) => JsonSerializer.Deserialize<Verdict>(line, Options)!;
}
