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
