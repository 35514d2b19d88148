using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Testing.Disks;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>
/// A publish is committed and answered, the disk is replaced by an older copy that has not got it, and its publisher asks again before any
/// node has shown that the host is behind: a publisher's process holds nothing of the application itself. The mark that was beside the
/// disk, or that none is there, tells the host; what was told within a generation stays true.
/// </summary>
public sealed class RestoredPublishTests
{
    private const int PublisherNumber = 50_000;
    private readonly HostRig _rig = new();
    private readonly ToldHistory _told = new();
    private readonly List<NodeRig> _nodes = [];

    [Theory]
    [InlineData(nameof(MarkFate.Kept))]
    [InlineData(nameof(MarkFate.Lost))]
    public void A_publish_known_over_two_restarts_stays_one_release_when_a_node_that_holds_just_the_copy_is_first(string mark)
    {
        PublishResult first = Publish(1);
        SimulatedDiskCopy copy = _rig.CopyDisk();
        Publish(2);
        Publish(3);
        RestartOn(_rig.CopyDisk());
        Publish(4);
        RestartOn(_rig.CopyDisk());
        Publish(5);
        ReleaseMessage lost = NewestOf(Join(1));

        RestartOn(copy, Enum.Parse<MarkFate>(mark));
        // It has nothing to prove, and the stream brings it release "2", which is publish 3.
        Join(2, HeldOf(first));
        Ask(3);
        // The proof names publish 5; the generation begins behind publish 3.
        Prove(1, lost);
        Publish(3);
        ExpectTruth();
    }

    [Theory]
    [InlineData(nameof(MarkFate.Kept))]
    [InlineData(nameof(MarkFate.Lost))]
    public void Publishes_stay_one_release_each_when_their_publisher_is_first_and_a_node_is_brought_to_what_it_made(string mark)
    {
        PublishResult first = Publish(1);
        SimulatedDiskCopy copy = _rig.CopyDisk();
        Publish(2);
        RestartOn(_rig.CopyDisk());
        Publish(3);
        Publish(4);
        Publish(5);
        ReleaseMessage lost = NewestOf(Join(1));

        RestartOn(copy, Enum.Parse<MarkFate>(mark));
        // Nobody but the publisher is back. Publishes 3 and 4 were releases 3 and 4, and are "2" and "3"; "4" is new.
        Ask(3);
        Ask(4);
        Join(2, HeldOf(first));
        Ask(6);
        Prove(1, lost);
        // What was asked for again only now is of the new generation: that is as it should be.
        Assert.True(Publish(5).Generation > first.Generation);
        Publish(3);
        Publish(4);
        Publish(6);
        ExpectTruth();
    }

    [Theory]
    [InlineData(nameof(MarkFate.Kept))]
    [InlineData(nameof(MarkFate.Lost))]
    public void The_newest_publish_stays_one_release_when_after_a_restore_its_publisher_is_first_and_the_proof_names_it(string mark)
    {
        PublishResult first = Publish(1);
        SimulatedDiskCopy copy = _rig.CopyDisk();
        Publish(2);
        // Asked for together: 4 waits while 3 is on its way to the disk.
        Publish(3, 4);
        ReleaseMessage lost = NewestOf(Join(1));
        Assert.Equal(IdOf(4), lost.Header.PublishId);

        RestartOn(copy, Enum.Parse<MarkFate>(mark));
        Ask(4);
        Prove(1, lost);
        // Who was away since the copy comes when the new generation has begun, and is brought there through "2" of the old one.
        Join(2, HeldOf(first));
        Publish(4);
        ExpectTruth();
    }

    private static Guid IdOf(int publish) => new(publish, 0, 0, new byte[8]);

    private static HeldState HeldOf(PublishResult result) => new(HostRig.Shop, result.Generation, result.Release, result.Id);

    /// <summary>What a node that held nothing was brought to.</summary>
    private static ReleaseMessage NewestOf(NodeRig node) => ToldHistory.CaughtUp(node).Last();

    private NodeRig Join(int number, params HeldState[] held)
    {
        NodeRig node = _rig.Join(number, j => j with { Held = held });
        _nodes.Add(node);
        return node;
    }

    /// <summary>Publishes that must be done, whether it is their first time or not: the answer to the last.</summary>
    private PublishResult Publish(params int[] publishes)
    {
        List<PublishResult> answers = Ask(publishes);
        Assert.Equal(publishes.Select(_ => ErrorCode.None), answers.Select(a => a.Code));
        return answers[^1];
    }

    /// <summary>Asks for publishes at once, each with a content of its own, and keeps what is told. A host may put them off.</summary>
    private List<PublishResult> Ask(params int[] publishes)
    {
        NodeRig publisher = _rig.Connect(PublisherNumber, tokenId: HostRig.PublishersToken);
        foreach (int publish in publishes)
        {
            byte[] value = BitConverter.GetBytes(publish);
            PublishKey[] keys = [new PublishKey("a.bin", IsRemove: false, (uint)value.Length)];
            ulong any = PublishBegin.AnyRelease;
            publisher.Send(new PublishBegin((uint)publish, HostRig.Shop, IdOf(publish), any, "a note", string.Empty, keys));
            publisher.Send(new PublishPart((uint)publish, value));
        }

        _rig.Run(15 * HostRig.MillisecondNs);
        List<PublishResult> answers = [.. publisher.All<PublishResult>().OrderBy(a => a.Call)];
        foreach (PublishResult answer in answers.Where(a => a.Code == ErrorCode.None))
        {
            _told.Tell(IdOf((int)answer.Call), answer);
        }

        publisher.Break("answered");
        _rig.Deliver();
        return answers;
    }

    /// <summary>The host dies, and starts on this disk in a later second.</summary>
    private void RestartOn(SimulatedDiskCopy disk, MarkFate mark = MarkFate.Kept)
    {
        _rig.Run(2 * HostRig.SecondNs);
        _rig.Restart(disk, mark);
    }

    /// <summary>A node comes back with a release that the copy has not got, and proves it when asked: a new generation begins.</summary>
    private void Prove(int number, ReleaseMessage lost)
    {
        ReleaseHeader header = lost.Header;
        NodeRig node = Join(number, new HeldState(HostRig.Shop, header.Generation, header.Release, header.Id));
        foreach (ProofRequest request in node.All<ProofRequest>())
        {
            node.Send(new Proof(request.Topic, header.Encode(), lost.Signature!.Encode()));
        }

        _rig.Run(20 * HostRig.MillisecondNs);
        Assert.True(Assert.Single(_rig.StatusPages()).Generation > header.Generation);
    }

    private void ExpectTruth()
    {
        _nodes.ForEach(_told.Tell);
        _told.ExpectOneReleaseOfEachPublish();
        _told.ExpectOneContentOfEachRelease();
    }
}
