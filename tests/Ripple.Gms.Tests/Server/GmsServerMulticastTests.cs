using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Ripple.Client;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Wire;
using Ripple.Gms.Regions;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Server;

/// <summary>A host that sends to multicast groups, and clients, over real sockets of the loopback interface.</summary>
public sealed class GmsServerMulticastTests : IDisposable
{
    private const int ValueBytes = 20_000;
    private static readonly IPNetwork Groups = IPNetwork.Parse("239.77.8.0/29");
    private readonly TempDirectory _directory = new();

    public void Dispose() => _directory.Dispose();

    [Fact]
    public async Task Releases_reach_clients_through_the_group_of_their_region()
    {
        await using HostHarness host = await HostHarness.StartAsync(
            _directory.Path, o => o with { Multicast = new GmsMulticastOptions { Groups = Groups, Port = TestPorts.Udp() } });
        await using RippleClient publisher = await ConnectAsync(host, host.Admin.Token!.Reveal(), "publisher");
        await using RippleClient first = await ConnectAsync(host, host.Client.Token!.Reveal(), "first");
        await using RippleClient second = await ConnectAsync(host, host.Client.Token!.Reveal(), "second");
        await ControlHarness.UntilAsync(() => host.Server.Host.Counters.GroupMembers == 3, "all three hear the group");
        // In this order, and read again in the other one: a repair counts before its bytes do.
        (long messages, long repairs, _) = await StreamedAsync(host);
        long bytes = host.Server.DatagramBytesSent;
        const int Releases = 20;
        for (int i = 1; i <= Releases; i++)
        {
            await publisher.PublishAsync(Value(i), HostHarness.Cancel);
        }

        foreach (RippleClient client in (RippleClient[])[publisher, first, second])
        {
            await ControlHarness.UntilAsync(() => Read(client) == Releases, "the client has the newest release");
        }

        // Whoever is slow may have caught up by its link before the stream came to it; the stream brings it all the same.
        await ControlHarness.UntilAsync(
            async () => await StreamedAsync(host) is { IsStable: true } now && now.Messages - messages >= Releases,
            "all three have all of the stream");
        long sent = host.Server.DatagramBytesSent - bytes;
        // What the system dropped was sent again, to the one who missed it.
        long again = ((await StreamedAsync(host)).Repairs - repairs) * WireLimits.DatagramBytesMax;
        // Three times that by unicast.
        Assert.InRange(sent, Releases * ValueBytes, (2 * Releases * ValueBytes) + again);
        await ControlHarness.UntilAsync(() => host.Server.Host.Counters.GroupMembers == 3, "all three hear the group");
        // Those of both ports count: together they are as many as their bytes take, or more.
        Assert.InRange(host.Server.DatagramBytesSent, 1, host.Server.DatagramsSent * WireLimits.DatagramBytesMax);
    }

    [Fact]
    public async Task A_client_that_cannot_join_says_so_and_gets_everything_by_unicast()
    {
        // The port of the group is taken by somebody who shares it with nobody.
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ExclusiveAddressUse = true };
        taken.Bind(new IPEndPoint(IPAddress.Any, 0));
        int port = ((IPEndPoint)taken.LocalEndPoint!).Port;
        await using HostHarness host = await HostHarness.StartAsync(
            _directory.Path, o => o with { Multicast = new GmsMulticastOptions { Groups = Groups, Port = port } });
        await using RippleClient publisher = await ConnectAsync(host, host.Admin.Token!.Reveal(), "publisher");
        await ControlHarness.UntilAsync(() => host.Logs.Lines.Any(l => l.Id == (int)GmsEventKind.Unicast && l.Text.Contains(
            "cannot be joined", StringComparison.Ordinal)), "the host logged why");
        await publisher.PublishAsync(Value(1), HostHarness.Cancel);
        await ControlHarness.UntilAsync(() => Read(publisher) == 1, "the client has the release");
        Assert.Equal(0, host.Server.Host.Counters.GroupMembers);
        Assert.Equal(1, host.Server.Host.Counters.GroupRefusals);
    }

    [Fact]
    public async Task A_node_that_joins_is_told_of_its_regions_group()
    {
        await using HostHarness host = await HostHarness.StartAsync(
            _directory.Path, o => o with { Multicast = new GmsMulticastOptions { Groups = Groups, Port = TestPorts.Udp() } });
        TestHandler link = (await host.ConnectAsync(host.Client)).Handler!;
        NodeAddress address = NodeAddress.FromIPv4(0x7F000001, 9);
        var join = new Join(Join.CurrentVersion, "default", "by-hand", [], [], address, address with { Port = 10 }, [], 0);
        await host.Core.CallAsync(() => Assert.True(link.Link.TrySend(join)));
        await ControlHarness.UntilAsync(() => Has(link, MessageType.JoinAccepted), "the join was accepted");
        // What comes behind the join has come when this is answered.
        await host.Core.CallAsync(() => Assert.True(link.Link.TrySend(new StateVectorRequest())));
        await ControlHarness.UntilAsync(() => Has(link, MessageType.StateVector), "the host answered");
        Assert.True(Has(link, MessageType.RegionGroup));
    }

    [Theory]
    [InlineData("10.0.0.0/8", 7401, null, 1, "no network of multicast groups")]
    [InlineData("224.0.0.0/4", 7401, null, 1, "no network of multicast groups")]
    [InlineData("224.0.0.0/24", 7401, null, 1, "224.0.0.0/24")]
    [InlineData("232.1.0.0/16", 7401, null, 1, "232.0.0.0/8")]
    [InlineData("ff15::/112", 7401, null, 1, "family")]
    [InlineData("239.192.0.0/16", 7401, "::1", 1, "family")]
    [InlineData("239.192.0.0/16", 0, null, 1, "port 0")]
    [InlineData("239.192.0.0/16", 70_000, null, 1, "port 70000")]
    [InlineData("239.192.0.0/16", 7401, null, 256, "256")]
    [InlineData("239.192.0.0/16", 7401, "203.0.113.7", 1, "Multicast cannot leave by 203.0.113.7")]
    public async Task Options_that_cannot_work_are_refused_with_what_to_do(string groups, int port, string? address, int ttl, string says)
    {
        GmsServerOptions options = HostHarness.Options(_directory.Path) with
        {
            Multicast = new GmsMulticastOptions
            {
                Groups = IPNetwork.Parse(groups),
                Port = port,
                Interface = address is null ? null : IPAddress.Parse(address),
                Ttl = ttl,
            },
        };
        using var logs = new LineLogs();
        GmsServerException error = await Assert.ThrowsAsync<GmsServerException>(
            () => GmsServer.StartAsync(options, logs, HostHarness.Cancel));
        Assert.Contains(says, error.Message, StringComparison.Ordinal);
        Assert.Contains("ive", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_group_is_given_to_one_region_at_a_time()
    {
        var range = new GroupRange(NodeAddress.FromIPv4(0xEF010101, 7_401), 2);
        NodeAddress one = range.Take();
        NodeAddress two = range.Take();
        Assert.Equal("239.1.1.1:7401 239.1.1.2:7401", $"{one} {two}");
        Assert.True(range.Take().IsNone);
        range.Return(one);
        Assert.Equal(one, range.Take());
        Assert.True(range.Take().IsNone);
    }

    private static bool Has(TestHandler link, MessageType type) => link.Frames.Any(f => f.Type == (ushort)type);

    private static PublishRequest Value(int number)
    {
        byte[] value = new byte[ValueBytes];
        new Random(number).NextBytes(value);
        BinaryPrimitives.WriteInt32LittleEndian(value, number);
        return new() { Note = "a test", Set = new Dictionary<string, ReadOnlyMemory<byte>> { ["a.bin"] = value } };
    }

    private static int Read(RippleClient client) =>
        client.TryGet("a.bin", out ReadOnlyMemory<byte> value) ? BinaryPrimitives.ReadInt32LittleEndian(value.Span) : 0;

    /// <summary>What the streams took, what they sent again, and whether all members have all that was sent.</summary>
    private static Task<(long Messages, long Repairs, bool IsStable)> StreamedAsync(HostHarness host) =>
        host.Server.Runner.RunAsync(() => (
            host.Server.Host.Streams.Sum(s => s.Counters.Messages),
            host.Server.Host.Streams.Sum(s => s.Counters.Repairs),
            host.Server.Host.Streams.All(s => s.Floor == s.Highest)));

    private static Task<RippleClient> ConnectAsync(HostHarness host, string token, string name) => RippleClient.ConnectAsync(
        $"Endpoints={host.Server.Endpoint};Authority=sha256:{Convert.ToHexStringLower(host.Client.Authority.Span)};Token={token}",
        new RippleClientOptions
        {
            Application = "default",
            Name = name,
            SnapshotMode = SnapshotMode.Off,
            ConnectTimeout = ControlHarness.Patience,
            PublishTimeout = ControlHarness.Patience,
        },
        HostHarness.Cancel);
}
