using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Rings;
using Ripple.Engine.Stack;
using Ripple.Engine.Streams;
using Ripple.Engine.Tests.Core;
using Ripple.Engine.Tests.Streams;
using Ripple.Engine.Tests.Wire;
using Ripple.Engine.Wire;
using Ripple.Gms.Frontier;

namespace Ripple.Engine.Tests.Memory;

/// <summary>The written sum is what the objects take.</summary>
[Collection(nameof(Alone))]
public sealed class MemoryBudgetTests
{
    [Fact]
    public void The_sum_is_that_of_its_parts()
    {
        var budget = new MemoryBudget();
        budget.Add(MemoryScope.Process, MemoryKind.Fixed, "a", 3, 7);
        budget.Add<long>(MemoryScope.Region, MemoryKind.Retained, "b", 5);
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "c", 1, 100);
        budget.Add(MemoryScope.Application, MemoryKind.Transient, "d", 2, 1_000);

        Assert.Equal(["a", "b", "c", "d"], budget.Lines.Select(l => l.Name));
        Assert.Equal(21, budget.BytesOf(MemoryKind.Fixed, regions: 9, connections: 9, applications: 9));
        Assert.Equal((2 * 40) + (10 * 100), budget.BytesOf(MemoryKind.Retained, regions: 2, connections: 10, applications: 9));
        Assert.Equal(4 * 2_000, budget.BytesOf(MemoryKind.Transient, regions: 9, connections: 9, applications: 4));
    }

    [Fact]
    public void A_core_takes_what_its_lines_say()
    {
        var options = new CoreOptions();
        var budget = new MemoryBudget();
        CoreLoop.AddMemory(budget, options);

        long bytes = BytesOf(() => new CoreLoop(options, seed: 1));

        AssertNear(budget.BytesOf(MemoryKind.Fixed, 0, 0, 0), bytes, percent: 3);
    }

    [Fact]
    public void Smaller_sizes_make_a_smaller_core()
    {
        var options = new CoreOptions { AlarmsMax = 100, RequestsMax = 100, IoPerClassMax = 16 };
        var budget = new MemoryBudget();
        CoreLoop.AddMemory(budget, options);

        AssertNear(budget.BytesOf(MemoryKind.Fixed, 0, 0, 0), BytesOf(() => new CoreLoop(options, seed: 1)), percent: 10);
    }

    [Fact]
    public void A_sender_whose_window_is_full_takes_what_its_lines_say()
    {
        var budget = new MemoryBudget();
        StreamSender.AddMemory(budget, StreamOptions.Default);
        RegionOutput.AddMemory(budget);
        var network = new StreamNetwork();
        var counting = new RegionOutput(
            network.Core,
            new PortSink(network.Core, network.Open(new RecordingHandler())),
            new PortSink(network.Core, network.Open(new RecordingHandler())));
        byte[] frames = new byte[WireLimits.FramesBytesMax];
        var source = new Endless();

        StreamSender? sender = null;
        long bytes = BytesOf(() =>
        {
            sender = new StreamSender(network.Core, 1, source, counting, StreamOptions.Default with
            {
                PaceStartBytesPerSecond = StreamOptions.PaceBytesPerSecondMax,
                PaceBurstBytes = int.MaxValue,
            });
            while (sender.Highest < (ulong)StreamOptions.Default.WindowPackets && sender.PullFrames(frames) > 0)
            {
                // Until the window is full.
            }

            // The train is made with the stream's feed.
            counting.RegisterStream(sender);

            // A member asks for everything, once for each packet.
            Span<byte> nak = stackalloc byte[64];
            for (ulong sequence = 1; sequence <= sender.Highest; sequence++)
            {
                sender.OnNak(NodeAddress.FromIPv4(1, 1), NodeAddress.FromIPv4(1, 2), NakOf(nak, sender.Origin, sequence));
            }

            counting.SetSealer(new CopySealer());
            while (counting.TrySend(NodeAddress.FromIPv4(1, 1), PacketClass.Control, frames)
                | counting.TrySend(NodeAddress.FromIPv4(1, 1), PacketClass.Nak, frames)
                | counting.TrySend(NodeAddress.FromIPv4(1, 1), PacketClass.Repair, frames)
                | counting.TrySend(NodeAddress.FromIPv4(1, 1), PacketClass.Data, frames))
            {
                // Until every class is full.
            }

            return sender;
        });

        Assert.Equal((ulong)StreamOptions.Default.WindowPackets, sender!.Highest);
        AssertNear(
            budget.BytesOf(MemoryScope.Region, MemoryKind.Fixed) + budget.BytesOf(MemoryScope.Region, MemoryKind.Retained),
            bytes,
            percent: 5);
    }

    [Fact]
    public void A_receiver_takes_what_its_line_says()
    {
        var budget = new MemoryBudget();
        StreamReceiver.AddMemory(budget, StreamOptions.Default);
        using var host = new StreamHost(new StreamNetwork());
        StreamMember other = host.Join();

        long bytes = BytesOf(() => new StreamReceiver(
            host.Network.Core, StreamHost.Origin, 1, host.ControlPort.LocalAddress, other.Output, other, StreamOptions.Default));

        AssertNear(budget.BytesOf(MemoryScope.Region, MemoryKind.Fixed), bytes, percent: 3);
    }

    [Fact]
    public void A_round_as_it_is_read_takes_what_its_line_says()
    {
        var budget = new MemoryBudget();
        AggregateReader.AddMemory(budget);

        AssertNear(budget.BytesOf(MemoryScope.Region, MemoryKind.Fixed), BytesOf(() => new AggregateReader()), percent: 10);
    }

    [Fact]
    public void Replay_windows_take_what_their_line_says()
    {
        var budget = new MemoryBudget();
        PacketOpener.AddMemory(budget);
        const int Slots = 200;
        using PacketOpener opener = Sealing.Opener(1);
        // Sealed before, so that opening alone is counted.
        var packets = new List<byte[]>();
        foreach (uint epoch in (uint[])[1, 2])
        {
            for (uint slot = 1; slot <= Slots; slot++)
            {
                using RegionKey key = Sealing.Key(epoch);
                var sealer = new PacketSealer(Sealing.RegionId, key, slot);
                packets.AddRange(Enum.GetValues<PacketClass>().Select(c => Sealing.Seal(sealer, c, 1, 2, 3)));
            }
        }

        RegionKey second = Sealing.Key(2);
        long bytes = BytesOf(() =>
        {
            for (uint slot = 1; slot <= Slots; slot++)
            {
                opener.AllowSlot(slot);
            }

            int half = packets.Count / 2;
            for (int i = 0; i < packets.Count; i++)
            {
                if (i == half)
                {
                    opener.TryAddKey(second, nowNs: 1);
                }

                opener.TryOpen(packets[i], 2, out _, out _);
            }

            return opener;
        });

        Assert.Equal(packets.Count, opener.CountOf(OpenStatus.Ok));
        AssertNear(Slots * budget.BytesOf(MemoryScope.Connection, MemoryKind.Retained), bytes, percent: 15);
    }

    [Fact]
    public void Rows_of_a_frontier_take_what_their_line_says()
    {
        var budget = new MemoryBudget();
        FrontierTable.AddMemory(budget);
        const int Members = 2_048;
        FrontierMember[] members = [.. Enumerable.Range(1, Members).Select(Member)];
        var table = new FrontierTable("shop", 1);

        long bytes = BytesOf(() =>
        {
            foreach (FrontierMember member in members)
            {
                table.TryAdd(member, out _);
            }

            return table;
        });
        bytes += BytesOf(() => Enumerable.Range(1, Members).Select(Member).ToArray());

        AssertNear(Members * budget.BytesOf(MemoryScope.Connection, MemoryKind.Retained), bytes, percent: 20);
    }

    private static FrontierMember Member(int node) =>
        new() { Node = new NodeId(0, (ulong)node), Incarnation = 1, Name = "n", Zone = "z" };

    /// <summary>What is allocated, and so a little more than what is held where a list grows.</summary>
    private static long BytesOf(Func<object> make)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        object made = make();
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(made);
        return bytes;
    }

    private static void AssertNear(long written, long bytes, int percent) =>
        Assert.True(Math.Abs(written - bytes) <= written * percent / 100, $"{written} bytes are written, {bytes} were taken.");

    private static ReadOnlySpan<byte> NakOf(Span<byte> buffer, ulong origin, ulong sequence)
    {
        var writer = new WireWriter(buffer);
        NakFrame.Write(ref writer, origin, sequence / 64 * 64, [1UL << (int)(sequence % 64)]);
        return buffer[FrameReader.HeaderBytes..writer.Position];
    }

    private sealed class Endless : IStreamSource
    {
        private readonly byte[] _message = new byte[WireLimits.MessageBytesMax];

        public bool TryNext(out uint topic, out ReadOnlyMemory<byte> message)
        {
            topic = 1;
            message = _message;
            return true;
        }
    }
}
