using System.Text.Encodings.Web;
using System.Text.Json;

namespace Ripple.Benchmarks.Check;

/// <summary>The checked-in table: the bytes that each benchmark may allocate for one operation.</summary>
internal static class AllowedBytes
{
    private const string ProjectFile = "Ripple.Benchmarks.csproj";
    private static readonly JsonSerializerOptions Format =
        new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Where the table is: beside the project file.</summary>
    public static string Path { get; } = PathOf();

    /// <exception cref="FileNotFoundException">There is none; <c>--write</c> makes it.</exception>
    public static SortedDictionary<string, double> Read() =>
        new(JsonSerializer.Deserialize<Dictionary<string, double>>(File.ReadAllText(Path))!, StringComparer.Ordinal);

    public static void Write(IReadOnlyDictionary<string, double> table) =>
        File.WriteAllText(Path, JsonSerializer.Serialize(table, Format) + "\n");

    // Walked up to from where the program runs, so that --write changes the table in the repository and not a copy beside the program.
    private static string PathOf()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(folder.FullName, ProjectFile)))
            {
                return System.IO.Path.Combine(folder.FullName, "allowed-bytes.json");
            }
        }

        throw new InvalidOperationException(
            $"No folder above '{AppContext.BaseDirectory}' holds {ProjectFile}. Run the check from a clone of the repository.");
    }
}
