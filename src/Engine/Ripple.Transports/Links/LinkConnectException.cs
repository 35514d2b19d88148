using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>A connect that failed for a reason of its own layer.</summary>
internal sealed class LinkConnectException(
    LinkConnectFailure failure, string message, LinkRefusalCode code = LinkRefusalCode.Closed, Exception? inner = null)
    : Exception(message, inner)
{
    public LinkConnectFailure Failure { get; } = failure;

    /// <summary>What the host said, where it said something.</summary>
    public LinkRefusalCode Code { get; } = code;

    /// <summary>What a host's refusal means for the one who connects.</summary>
    public static LinkConnectException From(HostEndpoint endpoint, string what, LinkRefusal refusal) => new(
        refusal.Code is LinkRefusalCode.NotAdmitted
            or LinkRefusalCode.CertificateExpired
            or LinkRefusalCode.CertificateUnknown
            or LinkRefusalCode.Malformed
            ? LinkConnectFailure.Refused
            : LinkConnectFailure.Busy,
        $"{endpoint} refused {what}: {refusal.Text}",
        refusal.Code);
}
