using System.Reflection;
using Ripple.Attacks.Nodes;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Tests;

/// <summary>What is written by hand is what the product reads: an attack that is only malformed would prove nothing.</summary>
public sealed class LayoutsTests
{
    [Fact]
    public void A_join_by_hand_is_a_join()
    {
        var claim = new JoinClaim { Name = "n", Zone = "z", Interest = ["a"], Data = NodeAddress.FromIPv4(1, 2), SlotEpoch = 7 };

        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.Join(Join.CurrentVersion, claim), out Join? join));
        Assert.Equal(("n", "z", claim.Data, 7u), (join!.Name, join.Zone, join.DataAddress, join.SlotEpoch));
        Assert.Contains((int)Join.CurrentVersion, Layouts.Versions);
    }

    [Fact]
    public void An_accepted_join_is_read_as_the_product_writes_it()
    {
        ConstructorInfo constructor = typeof(JoinAccepted).GetConstructors().Single(c => c.GetParameters().Length > 1);
        var accepted = (JoinAccepted)constructor.Invoke([.. constructor.GetParameters().Select(Specimen)]);

        Seat seat = Layouts.JoinAccepted(Join.CurrentVersion, MessageCodec.Encode(accepted));

        Assert.Equal((accepted.Slot, accepted.KeyEpoch, accepted.HeartbeatMs), (seat.Slot, seat.KeyEpoch, seat.HeartbeatMs));
        Assert.Equal(accepted.Key.ToArray(), seat.Key);
        Assert.Equal("a", Assert.Single(seat.Topics).Application);
        Assert.Equal(accepted.View.Members[0].ControlAddress, Assert.Single(seat.Members).Control);
    }

    /// <summary>By type and name, so that what later versions add is there too.</summary>
    private static object Specimen(ParameterInfo parameter)
    {
        var address = NodeAddress.FromIPv4(3, 4);
        return parameter switch
        {
            { ParameterType: var t } when t == typeof(ulong) => 5UL,
            { ParameterType: var t } when t == typeof(uint) => 6U,
            { ParameterType: var t } when t == typeof(ushort) => (ushort)1_400,
            { ParameterType: var t } when t == typeof(NodeAddress) => address,
            { ParameterType: var t } when t == typeof(RegionView) =>
                new RegionView(7, new ViewNumber(8), [new RegionMember(6, default, 5, address, address with { Port = 9 })]),
            { ParameterType: var t } when t == typeof(ReadOnlyMemory<byte>) =>
                new ReadOnlyMemory<byte>(new byte[parameter.Name == nameof(JoinAccepted.Key) ? RegionKey.KeyBytes : 32]),
            { ParameterType: var t } when t == typeof(IReadOnlyList<TopicState>) => new[] { new TopicState("a", 1, 1, 1, 1, default) },
            { ParameterType: var t } when t == typeof(IReadOnlyList<SignerCertificate>) => Array.Empty<SignerCertificate>(),
            _ => throw new InvalidOperationException($"There is no specimen of {parameter}."),
        };
    }

    [Fact]
    public void Proofs_and_answers_to_probes_by_hand_are_such()
    {
        byte[] shown = MessageCodec.Encode(new SnapshotBegin(1, new byte[] { 1, 2, 3 }, new byte[] { 4, 5 }));
        (byte[] header, byte[] signature) = Layouts.SnapshotBegin(shown);
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.Proof(7, header, signature), out Proof? proof));
        Assert.Equal(
            (7u, "010203", "0405"),
            (proof!.Topic, Convert.ToHexString(proof.Header.Span), Convert.ToHexString(proof.Signature.Span)));
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.CatchUpRequest(7, 1, 9), out CatchUpRequest? request));
        Assert.Equal((7u, 1u, 9ul), (request!.Topic, request.Generation, request.Release));
        byte[] nonce = new WireBytes().U64(3).U64(4).ToArray();
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.PathAnswer(2, nonce), out PathAnswer? answer));
        Assert.Equal(new PathAnswer(2, 3, 4), answer);
    }

    [Fact]
    public void Calls_by_hand_are_calls()
    {
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.Status(1, "a"), out Status? _));
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.ReadKey(1, "a", 2, "k"), out ReadKey? _));
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.Wait(1, "a", 2, "MIN(applied)", 3), out Wait? _));
        byte[] begin = Layouts.PublishBegin(Join.CurrentVersion, 1, "a", [("k", 2)]);
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(begin, out PublishBegin? _));
        Assert.Equal(DecodeStatus.Ok, MessageCodec.TryRead(Layouts.PublishPart(1, [1, 2]), out PublishPart? _));
    }
}
