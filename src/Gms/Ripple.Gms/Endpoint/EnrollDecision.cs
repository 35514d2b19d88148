using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>What an <see cref="IEnrollmentPolicy"/> says to a token.</summary>
internal sealed record EnrollDecision
{
    private EnrollDecision()
    {
    }

    /// <summary>True when the node gets a certificate.</summary>
    public bool IsAdmitted { get; private init; }

    /// <summary>The application the certificate names; empty when refused.</summary>
    public string Application { get; private init; } = "";

    /// <summary>One of <see cref="NodeRoles"/>; empty when refused.</summary>
    public string Role { get; private init; } = "";

    /// <summary>The token's id, by which the node is revoked; empty when refused.</summary>
    public string TokenId { get; private init; } = "";

    /// <summary>Why not, for the node's operator; empty when admitted. Tells nothing that helps to guess a token.</summary>
    public string Refusal { get; private init; } = "";

    /// <summary>Gives a certificate.</summary>
    /// <param name="application">The application the node will belong to: the one asked for, or the token's when none was.</param>
    /// <param name="role">One of <see cref="NodeRoles"/>.</param>
    /// <param name="tokenId">The token's id.</param>
    public static EnrollDecision Admit(string application, string role, string tokenId) =>
        new() { IsAdmitted = true, Application = application, Role = role, TokenId = tokenId };

    /// <summary>Gives none. Counted as a wrong token, and answered late.</summary>
    public static EnrollDecision Refuse(string why) => new() { Refusal = why };
}
