using Ripple.Engine.Regions;

namespace Ripple.Gms.Store;

/// <summary>
/// The actor of a change, as history and audit show it: <c>token:ID/NAME</c>, and behind it <c>node:ID</c> when it came over a control
/// connection. Made of what was proved: the token's name is what its maker called it, and the name a node gives itself is no part of it.
/// </summary>
internal static class ActorText
{
    private const string TokenPrefix = "token:";

    /// <summary>The actor for a token.</summary>
    public static string Of(AccessToken token) =>
        token.Name.Length > 0 ? $"{TokenPrefix}{token.Id}/{token.Name}" : $"{TokenPrefix}{token.Id}";

    /// <summary>The actor for a node that enrolled with a token.</summary>
    /// <param name="tokenId">The token's id, as the node's certificate names it.</param>
    /// <param name="token">The token; null when it is not known here.</param>
    /// <param name="node">The node.</param>
    public static string Of(string tokenId, AccessToken? token, NodeId node) =>
        $"{(token is null ? TokenPrefix + tokenId : Of(token))} node:{node}";

    /// <summary>
    /// The scope of the actor's publish ids: its token, so that a publish may be asked for again by the other interface or by a node that
    /// enrolled anew. Empty for an actor without a token: hosts before version 3 of the protocol wrote what the node called itself.
    /// </summary>
    public static string ScopeOf(string actor)
    {
        if (!actor.StartsWith(TokenPrefix, StringComparison.Ordinal))
        {
            return string.Empty;
        }

        int end = actor.AsSpan().IndexOfAny('/', ' ');
        return end < 0 ? actor : actor[..end];
    }
}
