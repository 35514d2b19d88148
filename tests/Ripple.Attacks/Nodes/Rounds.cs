using System.Security.Cryptography;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Nodes;

/// <summary>Makes finished rounds of a ring that never went round.</summary>
internal static class Rounds
{
    /// <summary>The first member's rounds have numbers that are multiples of it: others are refused for their number alone.</summary>
    private const ulong RankStep = 4;

    private const ushort OpenEnd = ushort.MaxValue;
    private const int TagBytes = 16;

    /// <summary>
    /// An aggregate frame: every member of the view has this release at every level, in this generation. Proved by the member's own key
    /// where there are such keys.
    /// </summary>
    /// <param name="seat">Whose view, and whose key.</param>
    /// <param name="slot">In whose name.</param>
    /// <param name="round">Above every round told before.</param>
    /// <param name="topic">The application.</param>
    /// <param name="generation">The generation.</param>
    /// <param name="release">The release.</param>
    /// <param name="rejection">What every other member is said to have rejected; null for nothing.</param>
    public static byte[] Aggregate(
        Seat seat, uint slot, ulong round, uint topic, uint generation, ulong release, (ulong Release, string Reason)? rejection = null)
    {
        Member[] members = seat.Members;
        WireBytes wire = new WireBytes()
            .U64(seat.View).U64(round * RankStep).U64(0).U16(members.Length).U16(members.Length).U8(0).U8(0).U8(0);
        wire.U8(1).U32(topic).U32(generation).U64(release).U16(0).U16(OpenEnd);
        for (int level = 0; level < 3; level++)
        {
            wire.U8(0).U8(members.Length);
        }

        wire.U16(0).U8(0);
        int[] others = rejection is null ? [] : [.. Enumerable.Range(0, members.Length).Where(i => members[i].Slot != seat.Slot).Take(16)];
        wire.U8(others.Length);
        foreach (int position in others)
        {
            byte[] reason = System.Text.Encoding.UTF8.GetBytes(rejection!.Value.Reason);
            wire.U16(position).U32(topic).U32(generation).U64(rejection.Value.Release).U8(reason.Length).Raw(reason);
        }

        return WireBytes.Frame((int)FrameType.Aggregate, Prove(seat, slot, round, wire.ToArray()));
    }

    private static byte[] Prove(Seat seat, uint slot, ulong count, byte[] token)
    {
        if (seat.MemberKey.Length == 0)
        {
            return token;
        }

        byte[] text = new WireBytes().U64(count).Raw(token).ToArray();
        byte[] scope = new WireBytes().Raw("ripple/member-tag/1"u8).U64(seat.RegionId).U32(slot).Raw(text).ToArray();
        return new WireBytes().Raw(HMACSHA256.HashData(seat.MemberKey, scope).AsSpan(0, TagBytes)).Raw(text).ToArray();
    }
}
