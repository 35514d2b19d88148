using System.Diagnostics;
using System.Globalization;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;
using Ripple.Gms.Tests.Store;
using Ripple.Tests.Shared.Guide;
using Ripple.Tests.Shared.Postgres;

namespace Ripple.Gms.Tests.Server;

/// <summary>The guide's page of clusters, typed as it stands, with the paths and addresses of this machine.</summary>
public sealed class ClusterGuideTests : IDisposable
{
    private const string Data = "/var/lib/ripple";
    private const string Store = "/etc/ripple/store.connection";
    private const string Owner = " -o ripple";
    private readonly HostPair _pair;
    private readonly TempDirectory _work = new();

    public ClusterGuideTests(PostgresTestServer server)
    {
        _pair = new HostPair(server);
        Directory.CreateDirectory(_work.Path);
    }

    public void Dispose()
    {
        _pair.Dispose();
        _work.Dispose();
    }

    [Fact]
    public async Task Two_hosts_are_set_up_as_the_page_says()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("The page is for Linux.");
            return;
        }

        GuideBlock[] blocks = [.. GuidePages.Blocks("run-a-cluster.md")];
        string[] typed = [.. blocks.Where(b => b.IsTyped).SelectMany(b => b.Lines)];
        string[] hosts = [.. typed.Where(l => l.StartsWith("ripple-host ", StringComparison.Ordinal))];
        string[] steps = [.. typed.Where(l => l.StartsWith("install ", StringComparison.Ordinal))];
        string shape = Assert.Single(Assert.Single(blocks, b => b.Language == "text").Lines);
        Assert.Equal((2, 2, 4), (hosts.Length, steps.Length, typed.Length));
        int onePort = TestPorts.Tcp();
        int twoPort = TestPorts.Tcp();
        int health = TestPorts.Tcp();
        Assert.All(hosts.Concat(steps), l => Assert.Contains(Data, l, StringComparison.Ordinal));

        using HostProcess one = await HostProcess.StartAsync(Arguments(hosts[0], _pair.One, "10.0.0.1:7400", onePort, TestPorts.Tcp()));
        // What was brought over a way that is trusted.
        OwnerOnly.Copy(new GmsDirectory(_pair.One.Path).ClusterKey, Path.Combine(_work.Path, "cluster.key"));
        foreach (string step in steps)
        {
            await RunAsync(step.Replace(Owner, "", StringComparison.Ordinal).Replace(Data, _pair.Two.Path, StringComparison.Ordinal));
        }

        using HostProcess two = HostProcess.Begin(Arguments(hosts[1], _pair.Two, "10.0.0.2:7400", twoPort, health));
        await ControlHarness.UntilAsync(
            () => two.Output.Contains($"stands by: 'ripple-1' at '127.0.0.1:{onePort}'", StringComparison.Ordinal), "the second stands by");
        using var http = new HttpClient();
        using HttpResponseMessage ready = await http.GetAsync(new Uri($"http://127.0.0.1:{health}/health/ready"), HostHarness.Cancel);
        Assert.Equal(503, (int)ready.StatusCode);
        Assert.Contains("standby", await ready.Content.ReadAsStringAsync(HostHarness.Cancel), StringComparison.Ordinal);
        string[] names = [.. shape.Split(';').Select(p => p.Split('=')[0])];
        foreach (string file in (string[])["client.connection", "admin.connection"])
        {
            string path = Path.Combine(_pair.One.Path, file);
            await ControlHarness.UntilAsync(
                () => File.ReadAllText(path).StartsWith(
                    $"Endpoints=127.0.0.1:{onePort},127.0.0.1:{twoPort};Authority=sha256:", StringComparison.Ordinal),
                "the leader writes both hosts");
            Assert.Superset(names.ToHashSet(), File.ReadAllText(path).Split(';').Select(p => p.Split('=')[0]).ToHashSet());
        }

        await one.SignalAsync("KILL");
        await two.ReadyAsync();
    }

    private string[] Arguments(string line, TempDirectory directory, string address, int port, int health)
    {
        Assert.Contains(address, line, StringComparison.Ordinal);
        return
        [
            .. line.Split(' ').Skip(1).Select(word => word switch
            {
                Data => directory.Path,
                Store => _pair.StoreFile,
                _ when word == address => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{port}"),
                _ => word,
            }),
            // On one machine each needs its own.
            "--health", string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{health}"),
        ];
    }

    private async Task RunAsync(string line)
    {
        using Process process = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", line]) { WorkingDirectory = _work.Path })!;
        await process.WaitForExitAsync(HostHarness.Cancel);
        Assert.True(process.ExitCode == 0, line);
    }
}
