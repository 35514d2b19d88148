using System.Globalization;
using System.Text.RegularExpressions;
using Ripple.Client;
using Ripple.Engine.Memory;
using Ripple.Gms.Core;
using Ripple.Gms.Publishing;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Server;

/// <summary>The written sum of a host's memory. The heap is the whole process's, so nothing else runs meanwhile.</summary>
[Collection(nameof(Alone))]
public sealed partial class HostMemoryTests : IDisposable
{
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task The_program_prints_lines_and_their_sum_and_starts_nothing()
    {
        (int exitCode, string output) = await HostProcess.RunAsync(
            "--explain-memory", "--regions", "3", "--connections", "2500", "--applications", "2");

        Assert.True(exitCode == 0, output);
        string[] parts =
        [
            "core: receive buffers",
            "core: runs of packets that wait",
            "core: requests",
            "core: alarms",
            "stream: packets kept for repair",
            "region: small packets",
            "link: frames",
            "releases: the newest",
            "store: batches",
            "publishes that come",
            "admin API",
        ];
        Assert.All(parts, part => Assert.Contains(part, output, StringComparison.Ordinal));
        var sums = new Dictionary<string, long> { ["fixed"] = 0, ["retained"] = 0, ["transient"] = 0 };
        int lines = 0;
        foreach (Match match in Line().Matches(output))
        {
            lines++;
            long bytes = Number(match.Groups["bytes"]);
            Assert.Equal(Number(match.Groups["count"]) * Number(match.Groups["each"]), bytes);
            sums[match.Groups["kind"].Value] += bytes * match.Groups["scope"].Value switch
            {
                "region" => 3,
                "connection" => 2_500,
                "application" => 2,
                _ => 1,
            };
        }

        Assert.Equal(HostMemory.Of(HostHarness.Options("none")).Lines.Count, lines);
        Assert.Equal(sums, Sums().Matches(output).ToDictionary(m => m.Groups["kind"].Value, m => Number(m.Groups["bytes"])));
        Assert.Equal(sums.Values.Sum(), Number(Together().Match(output).Groups["bytes"]));
    }

    [Fact]
    public async Task A_count_below_zero_is_wrong_usage()
    {
        (int exitCode, string output) = await HostProcess.RunAsync("--explain-memory", "--connections", "-1");

        Assert.Equal(2, exitCode);
        Assert.Contains("--connections", output, StringComparison.Ordinal);
    }

    [Fact]
    public void Options_of_a_host_are_in_its_sum()
    {
        GmsServerOptions options = HostHarness.Options("none");
        long bytes = Sum(options, MemoryKind.Transient, connections: 0);

        options = options with { Gms = options.Gms with { UploadBytesMax = options.Gms.UploadBytesMax + 1_000 } };

        Assert.Equal(bytes + 1_000, Sum(options, MemoryKind.Transient, connections: 0));
    }

    [Fact]
    public void A_full_ledger_takes_what_its_line_says()
    {
        var budget = new MemoryBudget();
        PublishLedger.AddMemory(budget);
        StoredPublish[] publishes = [.. Enumerable.Range(1, PublishLedger.CommittedMax).Select(
            i => new StoredPublish(Guid.NewGuid(), default, (ulong)i, 1, default, "token:0123456789abcdef/ann", 0))];

        long before = GC.GetAllocatedBytesForCurrentThread();
        var ledger = new PublishLedger(publishes);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.True(ledger.TryGet("token:0123456789abcdef", publishes[0].PublishId, default, out _));
        long written = budget.BytesOf(MemoryScope.Application, MemoryKind.Retained);
        // The queue that doubles leaves its smaller arrays behind.
        Assert.InRange(bytes, written * 80 / 100, written * 120 / 100);
    }

    [Fact]
    public async Task Values_of_a_publish_count_until_they_are_stored()
    {
        await using HostHarness host = await HostHarness.StartAsync(_directory.Path);
        await using RippleClient node = await NodeAsync(host, 1);
        PublishRequest publish = Publish(1);
        Task<PublishResult> done;
        using (StoreSql.Hold(host.Server.Directory.Store))
        {
            done = node.PublishAsync(publish, HostHarness.Cancel);
            while (await OnCoreAsync(host, h => h.Applications.Sum(a => a.PendingCount)) == 0)
            {
                HostHarness.Cancel.ThrowIfCancellationRequested();
                await Task.Yield();
            }

            Assert.Equal(publish.Set.Values.Sum(v => (long)v.Length), await OnCoreAsync(host, h => h.UploadBytes));
        }

        await done;
        Assert.Equal(0, await OnCoreAsync(host, h => h.UploadBytes));
    }

    [Fact]
    public async Task A_host_under_load_holds_less_than_its_sum()
    {
        const int Nodes = 24;
        const int Releases = 60;
        Assert.SkipUnless(OperatingSystem.IsLinux(), "What a process has held at most is read from /proc.");
        using HostProcess host = await HostProcess.StartAsync("--data", _directory.Path, "--listen", "127.0.0.1:0", "--health", "off");
        string connection = await File.ReadAllTextAsync(new GmsDirectory(_directory.Path).AdminConnection, HostHarness.Cancel);
        RippleClient[] nodes = await Task.WhenAll(Enumerable.Range(1, Nodes).Select(i => NodeAsync(connection, i)));
        try
        {
            PublishResult last = (await Task.WhenAll(
                Enumerable.Range(1, Releases).Select(
                    i => nodes[i % Nodes].PublishAsync(Publish(i), HostHarness.Cancel)))).MaxBy(r => r.Release)!;
            WaitResult held = await nodes[0].WaitAsync(
                "default", last.Release, "MIN($ALL.applied)", ControlHarness.Patience, cancellationToken: HostHarness.Cancel);
            Assert.Equal(WaitOutcome.Held, held.Outcome);
            GmsServerOptions options = HostHarness.Options("none");
            long written = Sum(options, MemoryKind.Fixed, Nodes) + Sum(options, MemoryKind.Retained, Nodes);
            Assert.InRange(host.PeakBytes, HostMemory.IdleProcessBytes / 4, written);
        }
        finally
        {
            await Task.WhenAll(nodes.Select(n => n.DisposeAsync().AsTask()));
        }
    }

    private static long Sum(GmsServerOptions options, MemoryKind kind, int connections) =>
        HostMemory.Of(options).BytesOf(kind, regions: 1, connections, applications: 1);

    private static Task<long> OnCoreAsync(HostHarness host, Func<HostCore, long> ask) =>
        host.Server.Runner.RunAsync(() => ask(host.Server.Host));

    private static long Number(Group group) => long.Parse(group.Value, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    private static PublishRequest Publish(int number)
    {
        byte[] value = new byte[8_192];
        BitConverter.TryWriteBytes(value, number);
        return new PublishRequest { Set = new Dictionary<string, ReadOnlyMemory<byte>> { [$"key-{number % 8}"] = value } };
    }

    private static Task<RippleClient> NodeAsync(HostHarness host, int number) => NodeAsync(
        $"Endpoints={host.Server.Endpoint};Authority=sha256:{Convert.ToHexStringLower(host.Client.Authority.Span)};Token="
            + $"{host.Admin.Token!.Reveal()}",
        number);

    private static Task<RippleClient> NodeAsync(string connection, int number) => RippleClient.ConnectAsync(
        connection,
        new RippleClientOptions
        {
            Application = "default",
            Name = $"node-{number}",
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = ControlHarness.Patience,
            PublishTimeout = ControlHarness.Patience,
        },
        HostHarness.Cancel);

    [GeneratedRegex(
        @"^.{58} +(?<count>[\d,]+) x +(?<each>[\d,]+) = +(?<bytes>[\d,]+) B  (?<kind>fixed|retained|transient)( for each (?<scope>\w+))?$",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Line();

    [GeneratedRegex(@"^(?<kind>fixed|retained|transient): .+? +(?<bytes>[\d,]+) B$", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Sums();

    [GeneratedRegex(@"^together, at most +(?<bytes>[\d,]+) B$", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Together();
}
