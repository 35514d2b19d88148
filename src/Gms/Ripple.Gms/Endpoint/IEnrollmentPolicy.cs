using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>Decides which nodes may enroll. Called concurrently on thread pool threads; may block for a database read.</summary>
internal interface IEnrollmentPolicy
{
    /// <summary>Decides one request. All its content is untrusted.</summary>
    /// <param name="tokenText">The token, secret included; compare its hash in fixed time
    /// (<see cref="Ripple.Trust.AccessTokenSecret.Matches"/>), never log it.</param>
    /// <param name="application">The requested application; empty to use the token's.</param>
    /// <param name="name">The node's name; already checked against the naming rule.</param>
    EnrollDecision Decide(string tokenText, string application, string name);
}

/// <summary>The decision of an <see cref="IEnrollmentPolicy"/> about a token.</summary>
internal sealed record EnrollDecision
{
    private EnrollDecision()
    {
    }

    /// <summary>True if the node gets a certificate.</summary>
    public bool IsAdmitted { get; private init; }

    /// <summary>The application the certificate names; empty when refused.</summary>
    public string Application { get; private init; } = "";

    /// <summary>One of <see cref="NodeRoles"/>; empty when refused.</summary>
    public string Role { get; private init; } = "";

    /// <summary>The token's id, by which the node is revoked; empty when refused.</summary>
    public string TokenId { get; private init; } = "";

    /// <summary>
    /// The reason for a refusal, for the node's operator; empty when admitted. Reveals nothing that helps to guess a token.
    /// </summary>
    public string Refusal { get; private init; } = "";

    /// <summary>Admits the node.</summary>
    /// <param name="application">The application the node will belong to: the requested one, or the token's when none was
    /// requested.</param>
    /// <param name="role">One of <see cref="NodeRoles"/>.</param>
    /// <param name="tokenId">The token's id.</param>
    public static EnrollDecision Admit(string application, string role, string tokenId) =>
        new() { IsAdmitted = true, Application = application, Role = role, TokenId = tokenId };

    /// <summary>Refuses the node. Counted as a wrong token, and answered with a delay.</summary>
    public static EnrollDecision Refuse(string why) => new() { Refusal = why };
}
