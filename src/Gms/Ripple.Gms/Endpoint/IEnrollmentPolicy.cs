namespace Ripple.Gms.Endpoint;

/// <summary>
/// Decides who may enrol. Called on threads of the pool, several at once; may block for as long as a look into a database takes.
/// </summary>
internal interface IEnrollmentPolicy
{
    /// <summary>Decides about one request. Everything in it is as a stranger wrote it.</summary>
    /// <param name="tokenText">The token, secret included; compare its hash in fixed time
    /// (<see cref="Ripple.Trust.AccessTokenSecret.Matches"/>), never log it.</param>
    /// <param name="application">The application asked for; empty leaves it to the token.</param>
    /// <param name="name">The node's name: follows the rule of names.</param>
    EnrollDecision Decide(string tokenText, string application, string name);
}
