using Ripple.Engine.Core;
using Ripple.Engine.Streams;

namespace Ripple.Engine.Tests.Streams;

public sealed class RepairQueueTests
{
    private static readonly NodeAddress Greedy = NodeAddress.FromIPv4(1, 1);
    private static readonly NodeAddress Honest = NodeAddress.FromIPv4(2, 1);
    private static readonly NodeAddress Third = NodeAddress.FromIPv4(3, 1);
    private readonly RepairQueue _queue = new(8, 64);

    [Fact]
    public void Members_take_turns_and_each_is_repaired_in_the_order_of_its_requests()
    {
        Add(Greedy, 1, 2, 3, 4);
        Add(Honest, 7);
        Add(Third, 5, 6);
        Assert.Equal([(Greedy, 1UL), (Honest, 7), (Third, 5), (Greedy, 2), (Third, 6), (Greedy, 3), (Greedy, 4)], TakeAll());
    }

    [Fact]
    public void Who_fills_the_queue_makes_room_for_who_holds_less()
    {
        Add(Greedy, 1, 2, 3, 4, 5, 6, 7, 8);
        Assert.False(_queue.TryAdd(9, Greedy));
        Add(Honest, 20, 21, 22, 23);
        Assert.False(_queue.TryAdd(24, Honest));
        Assert.Equal(8, _queue.Count);
        Assert.Equal(
            [(Greedy, 5UL), (Honest, 20), (Greedy, 6), (Honest, 21), (Greedy, 7), (Honest, 22), (Greedy, 8), (Honest, 23)], TakeAll());
    }

    [Fact]
    public void What_lost_its_place_may_be_asked_for_again()
    {
        Add(Greedy, 1, 2, 3, 4, 5, 6, 7, 8);
        Assert.True(_queue.IsSuppressed(1, Greedy, 0));
        Add(Honest, 20);
        Assert.False(_queue.IsSuppressed(1, Greedy, 0));
        Assert.True(_queue.IsSuppressed(2, Greedy, 0));
    }

    [Fact]
    public void A_repair_that_was_sent_is_known_by_its_number_until_it_is_queued_again()
    {
        Add(Honest, 20);
        Assert.False(_queue.TryGetSent(20, Honest, out _, out _));
        TakeAll();
        _queue.OnSent(20, Honest, nowNs: 7, number: 3);
        Assert.False(_queue.TryGetSent(20, Third, out _, out _));
        Assert.False(_queue.TryGetSent(21, Honest, out _, out _));
        Assert.True(_queue.TryGetSent(20, Honest, out ulong number, out long sentNs));
        Assert.Equal((3UL, 7L), (number, sentNs));
        Add(Honest, 20);
        Assert.False(_queue.TryGetSent(20, Honest, out _, out _));
    }

    [Fact]
    public void More_members_than_places_leave_each_place_to_one_of_them()
    {
        for (ushort port = 1; port <= 8; port++)
        {
            Add(NodeAddress.FromIPv4(9, port), port);
        }

        Assert.False(_queue.TryAdd(1, Honest));
        Assert.Equal(8, TakeAll().Select(t => t.To).Distinct().Count());
    }

    [Fact]
    public void Any_order_of_requests_and_repairs_gives_each_what_it_asked_for()
    {
        var random = new DeterministicRandom(5);
        var expected = new Dictionary<NodeAddress, Queue<ulong>>();
        for (int step = 0; step < 20_000; step++)
        {
            NodeAddress to = NodeAddress.FromIPv4(7, (ushort)(1 + random.NextInt32(5)));
            if (random.NextInt32(2) == 0 && _queue.Count < 8)
            {
                Assert.True(_queue.TryAdd((ulong)step, to));
                Owed(expected, to).Enqueue((ulong)step);
            }
            else if (_queue.TryTake(out ulong sequence, out NodeAddress owed))
            {
                Assert.Equal(Owed(expected, owed).Dequeue(), sequence);
            }

            Assert.Equal(expected.Values.Sum(q => q.Count), _queue.Count);
        }
    }

    private static Queue<ulong> Owed(Dictionary<NodeAddress, Queue<ulong>> expected, NodeAddress to) =>
        expected.TryGetValue(to, out Queue<ulong>? owed) ? owed : expected[to] = new Queue<ulong>();

    private void Add(NodeAddress to, params ulong[] sequences)
    {
        foreach (ulong sequence in sequences)
        {
            Assert.True(_queue.TryAdd(sequence, to));
        }
    }

    private List<(NodeAddress To, ulong Sequence)> TakeAll()
    {
        var taken = new List<(NodeAddress, ulong)>();
        while (_queue.TryTake(out ulong sequence, out NodeAddress to))
        {
            taken.Add((to, sequence));
        }

        return taken;
    }
}
