using System.Text;

namespace Ripple.Cli.Tests;

/// <summary>A folder for one test.</summary>
internal sealed class TestFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("ripple-cli-").FullName;

    public string File(string name, string text) => File(name, Encoding.UTF8.GetBytes(text));

    public string File(string name, byte[] bytes)
    {
        string path = System.IO.Path.Combine(Path, name);
        System.IO.File.WriteAllBytes(path, bytes);
        return path;
    }

    public string PathOf(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }
}
