using System.Collections.Concurrent;
using Ripple.Gms.Endpoint;
using Ripple.Trust;

namespace Ripple.Gms.Tests.Endpoint;

/// <summary>Tokens in memory, all for one application.</summary>
internal sealed class TestPolicy : IEnrollmentPolicy
{
    public const string Application = "shop";

    private readonly ConcurrentDictionary<string, ReadOnlyMemory<byte>> _hashes = new();

    public ConcurrentDictionary<string, bool> Revoked { get; } = new();

    public AccessTokenSecret NewToken()
    {
        var token = AccessTokenSecret.New();
        _hashes[token.Id] = token.Hash;
        return token;
    }

    public EnrollDecision Decide(string tokenText, string application, string name)
    {
        if (!AccessTokenSecret.TryParse(tokenText, out AccessTokenSecret? token)
            || !_hashes.TryGetValue(token!.Id, out ReadOnlyMemory<byte> hash)
            || !token.Matches(hash.Span))
        {
            return EnrollDecision.Refuse("The token is not known here.");
        }

        if (Revoked.ContainsKey(token.Id))
        {
            return EnrollDecision.Refuse($"The token {token.Id} was revoked.");
        }

        return application is "" or Application
            ? EnrollDecision.Admit(Application, NodeRoles.Node, token.Id)
            : EnrollDecision.Refuse($"The token {token.Id} is not good for '{application}'.");
    }
}
