using Microsoft.Extensions.Logging;
using Ripple.Engine.Links;
using Ripple.Engine.Regions;
using Ripple.Gms.Endpoint;
using Ripple.Gms.Store;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// Decides enrollments and connections by the store's tokens, which determine role and applications. Thread pool threads; may block for a
/// store read.
/// </summary>
/// <param name="tokens">The tokens.</param>
/// <param name="coreVersion">Returns the token list version that the core uses; any thread.</param>
/// <param name="clock">The time of day.</param>
/// <param name="logger">The log.</param>
internal sealed class AccessTokenPolicy(
    AccessTokenList tokens, Func<long> coreVersion, IWallClock clock, ILogger logger) : IEnrollmentPolicy
{
    private const long FreshMicros = 5_000_000;
    private const int CoreWaitMsMax = 2_000;
    private const int CoreWaitMs = 10;

    /// <summary>Compared when the id is unknown, so that an unknown id takes as long as a wrong secret.</summary>
    private static readonly byte[] NoHash = new byte[AccessTokenSecret.HashBytes];

    // The message does not reveal which half of the token was wrong.
    private const string Wrong = "The token is not good here. Check that the connection string is the one made for this cluster, "
        + "or ask an administrator for another token.";

    private const string RevokedNodeText = "This node was revoked. It can be let in under another identity, by enrolling anew: "
        + "start the process again, with a token that is good.";

    /// <inheritdoc/>
    public EnrollDecision Decide(string tokenText, string application, string name)
    {
        if (!AccessTokenSecret.TryParse(tokenText, out AccessTokenSecret? secret))
        {
            return EnrollDecision.Refuse(Wrong);
        }

        AccessToken? token = tokens.Find(secret!.Id);
        if (!secret.Matches(token is null ? NoHash : token.SecretHash.Span) || token is null)
        {
            return EnrollDecision.Refuse(Wrong);
        }

        if (Judge(token) is { } refusal)
        {
            return Refuse(name, token, refusal);
        }

        bool isForAll = token.Applications.Contains(AccessTokenGrant.All);
        string effective = application;
        if (application.Length == 0)
        {
            if (isForAll || token.Grants.Length != 1)
            {
                return Refuse(name, token, "The token is good for several applications; name the one to belong to (Application=...).");
            }

            effective = token.Grants[0].Application;
        }
        else if (!TrustText.IsApplication(application))
        {
            return Refuse(name, token, $"The application's name is not {TrustText.ApplicationRule}.");
        }
        else if (token.RoleIn(application) is null)
        {
            return Refuse(name, token, $"The token {token.Id} does not name the application '{application}'. Use a token that does.");
        }

        HostLog.Enrolled(logger, name, effective, token.Id);
        return EnrollDecision.Admit(effective, RoleOf(token.RoleIn(effective) ?? AccessRole.Node), token.Id);
    }

    /// <summary>Null to admit a peer whose certificate is good, else the reason for the refusal.</summary>
    public async ValueTask<string?> AdmitAsync(LinkPeer peer, CancellationToken cancellationToken)
    {
        string? refusal = peer.Kind != LinkPeerKind.Node
            ? "This host takes nodes only."
            : tokens.Find(peer.TokenId) is not { } token
                ? $"The token {peer.TokenId} is not known here. Enrol again with a token of this cluster."
                : Judge(token) ?? (tokens.IsRevoked(new NodeId(peer.NodeIdHigh, peer.NodeIdLow)) ? RevokedNodeText : null);
        if (refusal is null)
        {
            await AwaitCoreAsync(tokens.Find(peer.TokenId)!, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            HostLog.NotAdmitted(logger, peer.Name, refusal);
        }

        return refusal;
    }

    private static string RoleOf(AccessRole role) => role switch
    {
        AccessRole.Admin => NodeRoles.Admin,
        AccessRole.Publisher => NodeRoles.Publisher,
        _ => NodeRoles.Node,
    };

    /// <summary>
    /// Waits until the core knows a new token: it polls the tokens a few times a second and would refuse one created a moment ago.
    /// </summary>
    private async ValueTask AwaitCoreAsync(AccessToken token, CancellationToken cancellationToken)
    {
        if (clock.UnixMicros - token.CreatedUnixMicros > FreshMicros)
        {
            return;
        }

        long version = tokens.Version;
        for (int waitedMs = 0; coreVersion() < version && waitedMs < CoreWaitMsMax; waitedMs += CoreWaitMs)
        {
            await Task.Delay(CoreWaitMs, cancellationToken).ConfigureAwait(false);
        }
    }

    private EnrollDecision Refuse(string name, AccessToken token, string reason)
    {
        HostLog.EnrollRefused(logger, name, token.Id, reason);
        return EnrollDecision.Refuse(reason);
    }

    private string? Judge(AccessToken token) =>
        token.RevokedUnixMicros is not null
            ? $"The token {token.Id} was revoked. Ask an administrator for another."
            : token.ExpiresUnixMicros is { } expires && expires <= clock.UnixMicros
                ? $"The token {token.Id} has expired. Ask an administrator for another."
                : null;
}
