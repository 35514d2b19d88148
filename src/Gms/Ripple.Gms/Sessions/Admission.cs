using System.Globalization;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Joining;
using Ripple.Gms.Store;

namespace Ripple.Gms.Sessions;

/// <summary>Decides which nodes may join. Core thread.</summary>
internal sealed class Admission(SessionServices services)
{
    /// <summary>Null if the node may join, else the refusal.</summary>
    public Refusal? Refuse(LinkPeer peer, Join join)
    {
        if (join.ProtocolVersion is < Join.OldestVersion or > Join.CurrentVersion)
        {
            string text = string.Create(
                CultureInfo.InvariantCulture,
                $"This host speaks versions {Join.OldestVersion} to {Join.CurrentVersion} of the protocol, "
                + $"the node {join.ProtocolVersion}. "
                + $"Upgrade the older of the two.");
            return new Refusal(ErrorCode.UnknownVersion, text);
        }

        if (!services.Tokens.IsGood(peer.TokenId, services.Context.Clock.UnixMicros))
        {
            string text = $"The token {peer.TokenId} is revoked, expired or not known here. Ask an administrator for another.";
            return new Refusal(ErrorCode.NotAllowed, text);
        }

        return join.Interest.Append(peer.Application).Select(application => Refuse(peer, application)).FirstOrDefault(r => r is not null);
    }

    /// <summary>True if this host must first raise its epoch above the one the node has seen.</summary>
    public bool MustRaiseEpoch(Join join) => services.Context.Epoch.MustExceed(join.SlotEpoch);

    private Refusal? Refuse(LinkPeer peer, string application)
    {
        if (services.Applications.Find(application) is null)
        {
            return new Refusal(
                ErrorCode.UnknownApplication, $"There is no application '{application}'. An administrator creates it first.");
        }

        return services.Tokens.Allows(peer, application, AccessRole.Node)
            ? null
            : new Refusal(
                ErrorCode.NotAllowed, $"The token {peer.TokenId} does not name the application '{application}'. Use a token that does.");
    }
}
