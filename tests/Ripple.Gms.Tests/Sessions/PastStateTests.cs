using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Tests.Sessions;

/// <summary>Who rejects the newest release asks for an earlier state: it is sent whole, with its proof, or the reason why not.</summary>
public sealed class PastStateTests
{
    private static readonly MessageType[] Snapshot =
    [
        MessageType.SnapshotBegin, MessageType.SnapshotKeys, MessageType.SnapshotEnd, MessageType.CatchUpEnd,
    ];

    private readonly HostRig _rig = new();
    private readonly List<PublishResult> _releases = [];

    [Fact]
    public void The_state_that_most_members_have_in_effect_is_sent_whole_and_signed()
    {
        Publish(5);
        Apply(11, 3);
        Apply(12, 3);
        Apply(13, 2);
        Apply(14, 5);
        NodeRig node = Join();

        Ask(node, before: 5, isMostApplied: true);

        Assert.Equal(Snapshot, node.Types);
        SnapshotBegin begin = node.Only<SnapshotBegin>();
        Assert.Equal(5UL, begin.Before);
        Assert.True(ReleaseHeader.TryDecode(begin.Header.Span, out ReleaseHeader? header));
        Assert.Equal((3UL, _releases[2].Id), (header.Release, header.Id));
        var state = new ReleaseStateBuilder();
        Assert.All(
            node.All<SnapshotKeys>().SelectMany(k => k.Keys),
            k => Assert.True(state.TryAdd(k.Key, new KeyEntry(k.Digest, (int)k.Length, (KeyForm)k.Form))));
        Assert.True(state.TryBuild(header, out _));
        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 1, 3, 5), node.Only<CatchUpEnd>());
    }

    [Fact]
    public void Of_two_that_as_many_members_have_the_newer_is_sent()
    {
        Publish(5);
        Apply(11, 2);
        Apply(12, 4);
        NodeRig node = Join();

        Ask(node, before: 5, isMostApplied: true);

        Assert.Equal(4UL, node.Only<CatchUpEnd>().Release);
    }

    /// <summary>Who left has nothing in effect here, and what is not older than the rejected one is no answer.</summary>
    [Fact]
    public void Where_nobody_has_an_earlier_one_in_effect_there_is_none()
    {
        Publish(5);
        Apply(11, 3).Break("gone");
        Apply(12, 5);
        NodeRig node = Join();

        Ask(node, before: 5, isMostApplied: true);

        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, 1, 0, 5, ErrorCode.NotFound), node.Only<CatchUpEnd>());
        Assert.Equal([MessageType.CatchUpEnd], node.Types);
    }

    [Fact]
    public void The_one_right_before_another_is_sent_too()
    {
        Publish(5);
        NodeRig node = Join();

        Ask(node, before: 4, isMostApplied: false);

        Assert.True(ReleaseHeader.TryDecode(node.Only<SnapshotBegin>().Header.Span, out ReleaseHeader? header));
        Assert.Equal(_releases[2].Id, header.Id);
    }

    [Theory]
    [InlineData(1u, 1ul)]
    [InlineData(1u, 6ul)]
    [InlineData(2u, 4ul)]
    public void What_was_not_committed_in_this_generation_is_not_there(uint generation, ulong before)
    {
        Publish(5);
        NodeRig node = Join();

        Ask(node, before, isMostApplied: false, generation);

        Assert.Equal(new CatchUpEnd(HostRig.ShopTopic, generation, 0, before, ErrorCode.NotFound), node.Only<CatchUpEnd>());
    }

    /// <summary>Of releases that are committed together only the last is signed; the headers up to it are the proof.</summary>
    [Fact]
    public void A_release_that_was_not_signed_itself_comes_with_the_headers_up_to_the_signed_one()
    {
        NodeRig publisher = _rig.Connect(20, tokenId: HostRig.PublishersToken);
        for (uint call = 1; call <= 4; call++)
        {
            var id = new Guid((int)call + 1_000, 0, 0, new byte[8]);
            PublishKey[] keys = [new("a.bin", IsRemove: false, 1)];
            publisher.Send(new PublishBegin(call, HostRig.Shop, id, PublishBegin.AnyRelease, "a note", string.Empty, keys));
            publisher.Send(new PublishPart(call, new[] { (byte)call }));
        }

        _rig.Run(50 * HostRig.MillisecondNs);
        PublishResult[] results = [.. publisher.All<PublishResult>().OrderBy(r => r.Release)];
        Assert.Equal([1UL, 2UL, 3UL, 4UL], results.Select(r => r.Release));
        NodeRig node = Join();

        // The first was committed alone, and the others while it was being written.
        Ask(node, before: 3, isMostApplied: false);

        Assert.Equal(
            [
                MessageType.SnapshotBegin,
                MessageType.SnapshotHeader,
                MessageType.SnapshotHeader,
                MessageType.SnapshotKeys,
                MessageType.SnapshotEnd,
                MessageType.CatchUpEnd,
            ],
            node.Types);
        SnapshotBegin begin = node.Only<SnapshotBegin>();
        ReleaseHeader[] chain =
        [
            .. node.All<SnapshotHeader>().Select(h => h.Header).Prepend(begin.Header).Select(h =>
            {
                Assert.True(ReleaseHeader.TryDecode(h.Span, out ReleaseHeader? header));
                return header;
            }),
        ];
        Assert.Equal([results[1].Id, results[2].Id, results[3].Id], chain.Select(h => h.Id));
        Assert.True(new ReleaseProof([.. chain], ReleaseSignature.TryRead(begin.Signature.Span)!).IsChained);
    }

    [Fact]
    public void A_second_question_before_the_answer_is_to_be_asked_again()
    {
        Publish(5);
        NodeRig node = Join();
        node.Forget();
        node.Send(Question(before: 5, isMostApplied: false));
        node.Send(Question(before: 3, isMostApplied: false));
        _rig.Run(20 * HostRig.MillisecondNs);

        Assert.Equal(
            [(5UL, ErrorCode.None), (3UL, ErrorCode.Busy)], node.All<CatchUpEnd>().Select(e => (e.Before, e.Code)).OrderBy(e => e.Code));
        Assert.Equal(5UL, node.Only<SnapshotBegin>().Before);

        Ask(node, before: 3, isMostApplied: false);
        Assert.Equal(2UL, node.Only<CatchUpEnd>().Release);
    }

    [Fact]
    public void A_connection_that_goes_meanwhile_gives_its_place_back()
    {
        Publish(5);
        for (int turns = 1; turns < 20; turns++)
        {
            NodeRig node = _rig.Join(100 + turns);
            node.Send(Question(before: 5, isMostApplied: false));
            for (int i = 0; i < turns; i++)
            {
                _rig.Deliver();
            }

            node.Break("gone");
            _rig.Run(20 * HostRig.MillisecondNs);

            Assert.Equal(0, _rig.ReadCount);
            Assert.Equal(0, _rig.TransientBytes);
        }
    }

    private void Publish(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _releases.Add(_rig.Publish());
        }
    }

    /// <summary>A member that has a release in effect.</summary>
    private NodeRig Apply(int number, ulong release)
    {
        NodeRig node = _rig.Join(number);
        node.Heartbeat(new LevelRow(HostRig.ShopTopic, 1, 5, 5, release));
        _rig.Run(HostRig.MillisecondNs);
        return node;
    }

    private NodeRig Join() => _rig.Join(1);

    private void Ask(NodeRig node, ulong before, bool isMostApplied, uint generation = 1)
    {
        node.Forget();
        node.Send(Question(before, isMostApplied, generation));
        _rig.Run(20 * HostRig.MillisecondNs);
    }

    private static CatchUpRequest Question(ulong before, bool isMostApplied, uint generation = 1) =>
        new(HostRig.ShopTopic, generation, 5, default, before, isMostApplied);
}
