using System.Globalization;
using Ripple.Engine.Interest;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Placement;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Sessions;

/// <summary>Decides which nodes may join. Core thread.</summary>
internal sealed class Admission(SessionServices services)
{
    /// <summary>Null if the node may join, else the refusal.</summary>
    public Refusal? Refuse(LinkPeer peer, Join join)
    {
        if (join.ProtocolVersion is < Join.OldestVersion or > Join.CurrentVersion)
        {
            string versions = string.Create(
                CultureInfo.InvariantCulture,
                $"This host speaks versions {Join.OldestVersion} to {Join.CurrentVersion} of the protocol, "
                + $"the node {join.ProtocolVersion}. "
                + $"Upgrade the older of the two.");
            return new Refusal(ErrorCode.UnknownVersion, versions);
        }

        if (services.Context.RefuseUnsure() is { } unsure)
        {
            return unsure;
        }

        if (!services.Tokens.IsGood(peer.TokenId, services.Context.Clock.UnixMicros))
        {
            string notGood = $"The token {peer.TokenId} is revoked, expired or not known here. Ask an administrator for another.";
            return new Refusal(ErrorCode.NotAllowed, notGood);
        }

        if (services.Tokens.IsRevoked(new NodeId(peer.NodeIdHigh, peer.NodeIdLow)))
        {
            return new Refusal(ErrorCode.NotAllowed, "This node was revoked. Start its process again, with a token that is good.");
        }

        if ((RefuseNames(join) ?? RefuseAddresses(join) ?? RefuseInterest(peer, join)) is { } text)
        {
            return new Refusal(ErrorCode.InvalidRequest, text);
        }

        return join.Interest.Append(peer.Application).Select(application => Refuse(peer, application)).FirstOrDefault(r => r is not null);
    }

    /// <summary>
    /// True if this host must first raise its epoch above the one the node has seen. A claim that needs a proof is refused, and said so;
    /// the node is let in all the same, since an honest one may have it from a host whose clock was wrong.
    /// </summary>
    public bool MustRaiseEpoch(NodeConnection connection, Join join)
    {
        HostEpoch epoch = services.Context.Epoch;
        if (epoch.IsAbsurd(join.SlotEpoch) && join.HostIncarnation != services.Address.Incarnation)
        {
            services.Counters.ControlRefused++;
            services.Events.OnRefused(connection.Node, string.Create(
                CultureInfo.InvariantCulture,
                $"the claim to have seen slot epoch {join.SlotEpoch}: without a signed header that has it, "
                    + $"at most {epoch.ClaimedMax} is believed"));
        }

        return epoch.MustExceed(join.SlotEpoch, join.HostIncarnation);
    }

    private static string? RefuseAddresses(Join join) =>
        join.DataAddress.IsSendable && join.ControlAddress.IsSendable && join.ControlAddress.IsOnHostOf(join.DataAddress)
            ? null
            : $"The node names {join.DataAddress} for data and {join.ControlAddress} for control. Both must be of one machine: an address "
                + "and a port, and no group, broadcast or unspecified address.";

    /// <summary>The answer to a join, which names all applications, is one frame; and so is the join.</summary>
    private static string? RefuseInterest(LinkPeer peer, Join join)
    {
        string[] interest = [.. join.Interest.Append(peer.Application).Distinct(StringComparer.Ordinal)];
        return interest.Length > RegionIdentity.InterestMax
            || RegionIdentity.InterestBytesOf(interest) > RegionIdentity.InterestBytesMax
            ? $"The interest has {interest.Length} applications. It may have {RegionIdentity.InterestMax}, and their names at most "
                + $"{RegionIdentity.InterestBytesMax} bytes, one more each. Use several clients."
            : null;
    }

    /// <summary>
    /// What a node says of itself is shown to people and is part of predicates, so it is judged here and not by the node's own library. An
    /// empty name stands for the node's id.
    /// </summary>
    private static string? RefuseNames(Join join) =>
        (join.Name.Length == 0 ? null : RefuseName("name", join.Name))
        ?? RefuseName("zone", join.Zone)
        ?? join.Labels.Select(l => RefuseName("label", l.Key) ?? RefuseName("label's value", l.Value)).FirstOrDefault(r => r is not null);

    private static string? RefuseName(string what, string name) => TrustText.IsName(name)
        ? null
        : $"The node's {what} '{ShownText.Line(name)}' is not {TrustText.NameRule}. "
            + "Correct it in the node's connection string or options.";

    private Refusal? Refuse(LinkPeer peer, string application)
    {
        if (CompanionName.OwnerOf(application) is not null || services.Applications.Find(application) is null)
        {
            return new Refusal(
                ErrorCode.UnknownApplication,
                $"There is no application '{ShownText.Line(application)}'. An administrator creates it first.");
        }

        return services.Tokens.Allows(peer, application, AccessRole.Node)
            ? null
            : new Refusal(
                ErrorCode.NotAllowed, $"The token {peer.TokenId} does not name the application '{application}'. Use a token that does.");
    }
}
