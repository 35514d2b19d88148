using System.Runtime.InteropServices;
using Ripple.Gms.Tests.Server;

namespace Ripple.Gms.Tests.Store;

/// <summary>A process has one SQLite for its life: each case is a host program of its own.</summary>
public sealed class SqliteLibraryTests
{
    private const string OfSystem = "libsqlite3.so.0";

    [Fact]
    public async Task A_host_keeps_its_store_with_the_SQLite_that_is_named()
    {
        Assert.SkipUnless(NativeLibrary.TryLoad(OfSystem, out _), $"The system has no {OfSystem}.");
        using var directory = new TempDirectory();
        string own = await VersionAsync("--data", directory.Path, "--listen", "127.0.0.1:0", "--health", "off");
        string named = await VersionAsync("--data", directory.Path, "--listen", "127.0.0.1:0", "--health", "off", "--sqlite", OfSystem);

        // The second has read what the first one wrote.
        string version = own.Split("kept by SQLite ")[1].Split(' ', ',')[0];
        Assert.True(Version.Parse(version) >= new Version(3, 53), $"What comes with the program is of before 2026: {own}");
        Assert.DoesNotContain(own, named, StringComparison.Ordinal);

        (int exitCode, string output) = await HostProcess.RunAsync("token", "list", "--data", directory.Path, "--sqlite", OfSystem);
        Assert.True(exitCode == 0, output);
        Assert.Contains("MADE BY", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/nowhere/libsqlite3.so", "cannot be loaded from '/nowhere/libsqlite3.so'")]
    [InlineData("libc.so.6", "'libc.so.6' is no SQLite")]
    [InlineData("", "No SQLite is named.")]
    public async Task What_is_no_SQLite_is_refused(string file, string reason)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The names are those of Linux.");
        using var directory = new TempDirectory();
        (int exitCode, string output) = await HostProcess.RunAsync("--data", directory.Path, "--sqlite", file);
        Assert.Equal(1, exitCode);
        Assert.Contains(reason, output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_can_be_named_where_memory_is_explained()
    {
        Assert.SkipUnless(NativeLibrary.TryLoad(OfSystem, out _), $"The system has no {OfSystem}.");
        (int exitCode, string output) = await HostProcess.RunAsync("--explain-memory", "--sqlite", OfSystem, "--history-releases", "all");
        Assert.True(exitCode == 0, output);
    }

    /// <summary>What the host says of its SQLite.</summary>
    private static async Task<string> VersionAsync(params string[] arguments)
    {
        using HostProcess host = await HostProcess.StartAsync(arguments);
        string line = Assert.Single(host.Output.Split('\n'), l => l.Contains("kept by SQLite", StringComparison.Ordinal));
        await host.TerminateAsync();
        await host.EndAsync();
        return line;
    }
}
