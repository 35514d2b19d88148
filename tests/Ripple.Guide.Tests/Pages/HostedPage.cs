using System.Diagnostics;
using Ripple.Admin.Contracts;
using Ripple.Guide.Tests.Terminals;

namespace Ripple.Guide.Tests.Pages;

/// <summary>A page that is about a host that runs, whose reader administers it.</summary>
internal abstract class HostedPage(string name, string application = "shop") : ReadPage(name)
{
    private GuideHost? _host;

    protected GuideHost Host => _host!;

    protected override async Task PrepareAsync()
    {
        _host = await GuideHost.StartAsync(Path.Combine(Home.Scratch, "host"), application);
        Home.Variables["RIPPLE_CONNECTION_FILE"] = Host.AdminConnection;
    }

    protected override async ValueTask EndAsync()
    {
        if (_host is not null)
        {
            await _host.DisposeAsync();
        }
    }

    /// <summary>Makes the repository of the pages, with one commit.</summary>
    protected void CommitConfig(string file, string text)
    {
        string repository = Directory.CreateDirectory(Path.Combine(Home.Home, "config")).FullName;
        string path = Path.Combine(repository, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
        foreach (string[] arguments in (string[][])
            [["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "The first configuration"]])
        {
            var start = new ProcessStartInfo(
                "git",
                ["-C", repository, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgSign=false", .. arguments]);
            using Process process = Process.Start(start)!;
            process.WaitForExit();
            Assert.Equal(0, process.ExitCode);
        }
    }

    /// <summary>The name of the region of the nodes that joined.</summary>
    protected async Task<string> RegionAsync()
    {
        string name = string.Empty;
        await UntilAsync(
            async () =>
            {
                await foreach (RegionInfo region in Host.Admin.ListRegionsAsync(Cancel))
                {
                    name = region.Name;
                }

                return name.Length > 0;
            },
            "there is a region");
        return name;
    }

    /// <summary>Looks until it is as wanted.</summary>
    protected static async Task UntilAsync(Func<Task<bool>> look, string what)
    {
        long began = Stopwatch.GetTimestamp();
        while (!await look())
        {
            Assert.True(Stopwatch.GetElapsedTime(began) < TimeSpan.FromMinutes(5), $"It never came that {what}.");
            await Task.Delay(20, Cancel);
        }
    }
}
