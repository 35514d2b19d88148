namespace Ripple.Gms.Tests.Server;

/// <summary>A directory that goes with the test.</summary>
internal sealed class TempDirectory : IDisposable
{
    public TempDirectory() => Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), "ripple-host-" + Guid.NewGuid().ToString("N"));

    public string Path { get; }

    public string In(string name) => System.IO.Path.Combine(Path, name);

    public void Dispose()
    {
        if (Directory.Exists(Path))
        {
            Directory.Delete(Path, recursive: true);
        }
    }
}
