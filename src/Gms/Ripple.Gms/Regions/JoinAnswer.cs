using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Regions;

/// <summary>
/// The room in the answer to a join, which is one frame and names every member and application, and the host's own signer. Certificates of
/// other signers go ahead of it, each in a frame.
/// </summary>
internal static class JoinAnswer
{
    /// <summary>The bytes of a member in a view: slot, node, incarnation, address, port.</summary>
    private const int MemberBytes = 4 + 16 + 8 + 18 + 2;

    /// <summary>How much longer the certificate of a later key may be: its serial and signature are numbers of no fixed length.</summary>
    private const int CertificateSpareBytes = 16;

    /// <summary>An interest for which every host must have room: the largest that older members know, with the longest names.</summary>
    private static readonly string[] CommonInterest =
        [.. Enumerable.Repeat(new string('a', ReleaseLimits.ApplicationCharsMax), RingLimits.TopicsShortMax)];

    /// <summary>
    /// The most members of a region whose joiners can be answered by a host with such a signer, if their interest is not beyond the common.
    /// </summary>
    public static int MembersMax(ReadOnlyMemory<byte> certificate) => MembersMax(certificate, CommonInterest);

    /// <summary>The most members of a region with this interest.</summary>
    public static int MembersMax(ReadOnlyMemory<byte> certificate, IEnumerable<string> interest)
    {
        TopicState[] topics = [.. interest.Select(a => new TopicState(a, 0, 0, 0, 0, default))];
        var view = new RegionView(0, default, []);
        SignerCertificate[] signers = [new(new byte[certificate.Length + CertificateSpareBytes])];
        var empty = new JoinAccepted(
            0, 0, default, default, 0, view, 0, new byte[RegionKey.KeyBytes], new byte[MemberKey.KeyBytes], 0, topics, signers, 0);
        return MessageCodec.TryEncode(empty, out byte[]? body)
            ? Math.Min(WireLimits.RegionMembersMax, (WireLimits.ControlBytesMax - body.Length) / MemberBytes)
            : 0;
    }
}
