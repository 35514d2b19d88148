using System.IO.Compression;
using System.Text;
using System.Text.Json;

namespace Ripple.Engine.Tests.Releases;

/// <summary>
/// Real configuration files through their versions: the folder <c>config-histories</c> of RIPPLE_DATA, or of shared/data beside the
/// repository.
/// </summary>
internal static class ConfigHistories
{
    /// <summary>The versions of a file, oldest first; skips the test when the data is not there.</summary>
    public static IEnumerable<byte[]> Read(string name)
    {
        string path = Path.Combine(Folder(), name + ".jsonl");
        if (!File.Exists(path) && !File.Exists(path + ".gz"))
        {
            Assert.Skip(
                $"The configuration history '{name}' is not at {Folder()}. Set RIPPLE_DATA to the folder that has config-histories.");
        }

        return Lines(path);
    }

    private static IEnumerable<byte[]> Lines(string path)
    {
        bool isPacked = !File.Exists(path);
        using Stream file = File.OpenRead(isPacked ? path + ".gz" : path);
        using Stream text = isPacked ? new GZipStream(file, CompressionMode.Decompress) : file;
        using var reader = new StreamReader(text);
        while (reader.ReadLine() is { } line)
        {
            using var version = JsonDocument.Parse(line);
            yield return Encoding.UTF8.GetBytes(version.RootElement.GetProperty("content").GetString()!);
        }
    }

    private static string Folder() => Path.Combine(
        Environment.GetEnvironmentVariable("RIPPLE_DATA") ?? Path.Combine(Root(), "..", "shared", "data"),
        "config-histories");

    private static string Root()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
            {
                return folder.FullName;
            }
        }

        return AppContext.BaseDirectory;
    }
}
