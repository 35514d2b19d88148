using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Disks;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>What a publish is released on top of, when the host was restored since its publisher looked.</summary>
public sealed class ExpectedGenerationTests
{
    private const int PublisherNumber = 50_000;
    private readonly HostRig _rig = new();

    [Fact]
    public void A_release_of_a_generation_that_ended_is_not_the_newest_though_its_number_is()
    {
        Restore();
        PublishResult refused = Publish(1, new ExpectedState(1, 2));
        Assert.Equal((ErrorCode.WrongExpectedRelease, 2u, 2ul), (refused.Code, refused.Generation, refused.Release));
        Assert.Equal("The newest release of 'shop' is 2/2, not 1/2. Read it, and publish again on top of it.", refused.Text);
        PublishResult rolledBack = Ask(publisher => publisher.Send(
            new Rollback(1, HostRig.Shop, new Guid(9, 0, 0, new byte[8]), 1, new ExpectedState(1, 2), "")));
        Assert.Equal((ErrorCode.WrongExpectedRelease, refused.Text), (rolledBack.Code, rolledBack.Text));

        PublishResult done = Publish(1, new ExpectedState(2, 2));
        Assert.Equal((ErrorCode.None, 2u, 3ul), (done.Code, done.Generation, done.Release));
    }

    [Fact]
    public void A_number_alone_is_of_the_present_generation()
    {
        Restore();
        Assert.Equal(ErrorCode.WrongExpectedRelease, Publish(1, 1).Code);
        PublishResult done = Publish(1, 2);
        Assert.Equal((ErrorCode.None, 2u, 3ul), (done.Code, done.Generation, done.Release));
    }

    [Fact]
    public void What_is_expected_is_no_part_of_what_is_published()
    {
        PublishResult first = Publish(1, new ExpectedState(1, 0));
        Assert.Equal((ErrorCode.None, 1ul), (first.Code, first.Release));
        foreach (ExpectedState again in (ExpectedState[])[new(1, 0), 0, new(1, 1), ExpectedState.Any])
        {
            PublishResult same = Publish(1, again);
            Assert.Equal((ErrorCode.None, first.Id), (same.Code, same.Id));
        }
    }

    /// <summary>Of two releases the host has the first, and begins generation 2 with release 2.</summary>
    private void Restore()
    {
        _rig.Publish();
        SimulatedDiskCopy copy = _rig.CopyDisk();
        _rig.Publish();
        _rig.Run(2 * HostRig.SecondNs);
        _rig.Restart(copy, MarkFate.Lost);
    }

    private PublishResult Publish(int id, ExpectedState expected) => Ask(publisher =>
    {
        var publishId = new Guid(1_000 + id, 0, 0, new byte[8]);
        PublishKey[] keys = [new PublishKey("b.bin", IsRemove: false, 1)];
        publisher.Send(new PublishBegin(1, HostRig.Shop, publishId, expected, "a note", string.Empty, keys));
        publisher.Send(new PublishPart(1, new byte[] { 1 }));
    });

    private PublishResult Ask(Action<NodeRig> send)
    {
        NodeRig publisher = _rig.Connect(PublisherNumber, tokenId: HostRig.PublishersToken);
        send(publisher);
        _rig.Run(15 * HostRig.MillisecondNs);
        PublishResult result = publisher.Only<PublishResult>();
        publisher.Break("answered");
        _rig.Deliver();
        return result;
    }
}
