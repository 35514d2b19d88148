using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Many nodes, each in want of another value, while the store is busy with a commit.</summary>
public sealed class ManyValuesTests
{
    private const int PublisherNumber = 50_000;

    /// <summary>As many values as the default budget lets the host read at a time.</summary>
    private const int ReadsMax = 7;

    /// <summary>More than the connections that get a turn to send between two reads.</summary>
    private const int WaitingCount = 5;

    private readonly HostRig _rig = new();

    [Fact]
    public void Each_gets_its_value_when_all_are_read_at_a_time() => Assert.Equal(ReadsMax, CountServed(ReadsMax));

    /// <summary>
    /// A value that was read is sent at a later turn of its connection, and before that the budget serves those who wait to read: if they
    /// made room by dropping it, who wanted it would ask again, behind the others, for whom the same is true, without end.
    /// </summary>
    [Theory]
    [InlineData(WaitingCount)]
    [InlineData(100)]
    public void Each_gets_its_value_when_some_wait_to_be_read(int waiting) =>
        Assert.Equal(ReadsMax + waiting, CountServed(ReadsMax + waiting));

    /// <summary>How many of these nodes have the value they want after three seconds.</summary>
    private int CountServed(int count)
    {
        byte[][] values = [.. Enumerable.Range(0, count).Select(i => BitConverter.GetBytes(1_000_000 + i))];
        _rig.Publish(HostRig.Shop, [.. values.Select((v, i) => ($"key-{i}.bin", v))]);
        NodeRig[] nodes = [.. Enumerable.Range(1, count).Select(i => _rig.Join(i))];

        PublishAnother();
        for (int i = 0; i < count; i++)
        {
            nodes[i].Forget();
            nodes[i].Send(new BodyRequest(HostRig.ShopTopic, ContentDigest.Compute(values[i])));
        }

        _rig.RunAlive(3 * HostRig.SecondNs, nodes);
        Assert.All(nodes, n => Assert.Null(n.ClosedReason));
        return nodes.Count(n => n.All<Body>().Any());
    }

    /// <summary>The store is busy for as long as a flush takes: reads wait.</summary>
    private void PublishAnother()
    {
        NodeRig publisher = _rig.Connect(PublisherNumber, tokenId: HostRig.PublishersToken);
        PublishKey[] keys = [new PublishKey("another.bin", IsRemove: false, 4)];
        var id = new Guid(PublisherNumber, 0, 0, new byte[8]);
        publisher.Send(new PublishBegin(1, HostRig.Shop, id, PublishBegin.AnyRelease, "a note", string.Empty, keys));
        publisher.Send(new PublishPart(1, new byte[4]));
        _rig.Deliver();
    }
}
