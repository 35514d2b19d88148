using Ripple.Engine.Links;
using Ripple.Trust;

namespace Ripple.Transports.Links;

/// <summary>A failed connect whose cause is already classified.</summary>
internal sealed class LinkConnectException(
    LinkConnectFailure failure, string message, LinkRefusalCode code = LinkRefusalCode.Closed, Exception? inner = null)
    : Exception(message, inner)
{
    public LinkConnectFailure Failure { get; } = failure;

    /// <summary>The host's code, if it sent one; otherwise <see cref="LinkRefusalCode.Closed"/>.</summary>
    public LinkRefusalCode Code { get; } = code;

    /// <summary>Translates a host's refusal into a failure for the connecting side.</summary>
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
