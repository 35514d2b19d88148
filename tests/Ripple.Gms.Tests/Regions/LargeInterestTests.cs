using Ripple.Engine.Interest;
using Ripple.Engine.Nodes;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Gms.Regions;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Regions;

/// <summary>A region whose members take a thousand applications.</summary>
public sealed class LargeInterestTests
{
    private const int Further = RegionIdentity.InterestMax - 2;

    [Fact]
    public void A_node_of_1024_applications_joins_and_each_of_its_answers_is_of_all()
    {
        var rig = new HostRig(furtherApplications: Further);
        NodeRig node = rig.Join(1, j => j with { Interest = Interest() });
        Assert.Equal(RegionIdentity.InterestMax, node.Accepted!.Topics.Count);
        var expected = new InterestDigest(Interest().Append(HostRig.Shop));
        Assert.Equal(expected.Digest, DigestTold(rig, node));
        foreach (int i in new[] { 0, 500, Further - 1, 500 })
        {
            PublishResult result = rig.Publish(HostRig.Further(i), ("a.bin", [(byte)i]));
            expected.Set(HostRig.Further(i), result.Generation, result.Release, result.Id);
            Assert.Equal(expected.Digest, DigestTold(rig, node));
        }
    }

    [Fact]
    public void Rows_of_any_of_them_are_taken()
    {
        var rig = new HostRig(furtherApplications: Further);
        rig.Publish(HostRig.Further(700), ("a.bin", [1]));
        NodeRig node = rig.Join(1, j => j with { Interest = Interest() });
        node.Heartbeat(new LevelRow(HostRig.CartTopic + 1 + 700, 1, 1, 1, 1));
        rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(1ul, rig.RowOf(1, HostRig.Further(700)).Applied);
        Assert.Equal(0ul, rig.RowOf(1, HostRig.Further(699)).Applied);
    }

    [Fact]
    public void Releases_of_many_applications_go_out_by_one_stream_each_once()
    {
        var rig = new HostRig(furtherApplications: 100);
        NodeRig node = rig.Join(1, j => j with { Interest = [.. Enumerable.Range(0, 100).Select(HostRig.Further)] });
        ulong before = node.Accepted!.FirstSequence;
        for (int i = 0; i < 100; i++)
        {
            rig.Publish(HostRig.Further(i), ("a.bin", [(byte)i]));
        }

        node.Forget();
        node.Heartbeat();
        rig.Run(HostRig.MillisecondNs);
        Assert.Equal(100ul, node.Only<HeartbeatReply>().NextSequence - before);
    }

    [Theory]
    [InlineData(1_024, 12)]
    [InlineData(600, 64)]
    public void An_interest_that_does_not_fit_a_join_is_refused_with_what_to_do(int count, int nameChars)
    {
        var rig = new HostRig();
        NodeRig node = rig.Connect(1);
        string[] interest = [.. Enumerable.Range(0, count).Select(i => $"n{i}".PadRight(nameChars, 'x'))];
        node.Send(node.JoinMessage with { Interest = interest });
        rig.Run(30 * HostRig.MillisecondNs);
        JoinRefused refused = node.Only<JoinRefused>();
        Assert.Equal(ErrorCode.InvalidRequest, refused.Code);
        Assert.EndsWith("Use several clients.", refused.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_longest_interest_leaves_room_for_a_thousand_members_in_the_answer_to_a_join()
    {
        string[] longest = [.. Enumerable.Range(0, RegionIdentity.InterestMax).Select(i => $"n{i}".PadRight(31, 'x'))];
        Assert.Equal(RegionIdentity.InterestBytesMax, RegionIdentity.InterestBytesOf(longest));
        Assert.InRange(JoinAnswer.MembersMax(new byte[700], longest), 1_000, 1_200);
    }

    [Fact]
    public void A_ring_remembers_the_topics_of_the_largest_interest() =>
        Assert.Equal(RegionIdentity.InterestMax, RingLimits.TopicsOpenMax);

    private static string[] Interest() => [HostRig.Cart, .. Enumerable.Range(0, Further).Select(HostRig.Further)];

    private static Digest160 DigestTold(HostRig rig, NodeRig node)
    {
        node.Forget();
        node.Heartbeat();
        rig.Run(HostRig.MillisecondNs);
        return node.Only<HeartbeatReply>().StateVectorDigest;
    }
}
