using System.Security.Cryptography.X509Certificates;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// The host's side of enrollment for one connection without a certificate: one request, one answer, then the connection closes.
/// </summary>
internal sealed class EnrollmentHandler(LinkEndpointOptions options, LinkEndpointCounters counters)
{
    private int _anonymousCount;

    /// <exception cref="OperationCanceledException">The time limit has passed, or the host is stopping.</exception>
    /// <exception cref="IOException">The connection broke.</exception>
    public async Task ServeAsync(Stream stream, CancellationToken cancellationToken)
    {
        try
        {
            if (Interlocked.Increment(ref _anonymousCount) > options.AnonymousMax)
            {
                counters.CountOverLimit();
                await RefuseAsync(
                    stream, LinkRefusalCode.Busy, "Too many nodes enrol at once; try again.", cancellationToken).ConfigureAwait(false);
                return;
            }

            EnrollRequest? request = await ReadAsync(stream, cancellationToken).ConfigureAwait(false);
            if (request is null)
            {
                counters.CountMalformed();
                await RefuseAsync(
                    stream,
                    LinkRefusalCode.Malformed,
                    "A connection without certificate can enrol, and nothing else.",
                    cancellationToken).ConfigureAwait(false);
                return;
            }

            await AnswerAsync(stream, request, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _anonymousCount);
        }
    }

    private static Task RefuseAsync(Stream stream, LinkRefusalCode code, string text, CancellationToken cancellationToken) =>
        LinkFrames.WriteAsync(stream, LinkFrameType.EnrollRefused, new LinkRefusal(code, text).ToBytes(), cancellationToken);

    private async Task<EnrollRequest?> ReadAsync(Stream stream, CancellationToken cancellationToken)
    {
        try
        {
            (ushort type, byte[] body) = await LinkFrames.ReadAsync(stream, cancellationToken).ConfigureAwait(false);
            return type == LinkFrameType.Enroll ? EnrollRequest.Read(body) : null;
        }
        catch (InvalidDataException)
        {
            return null;
        }
        catch (OperationCanceledException)
        {
            counters.CountMalformed();
            throw;
        }
    }

    private async Task AnswerAsync(Stream stream, EnrollRequest request, CancellationToken cancellationToken)
    {
        if (!TrustText.IsName(request.Name))
        {
            counters.CountMalformed();
            await RefuseAsync(
                stream,
                LinkRefusalCode.Malformed,
                $"The node's name is not {TrustText.NameRule}.",
                cancellationToken).ConfigureAwait(false);
            return;
        }

        EnrollDecision? decision = Decide(request);
        if (decision is null)
        {
            await RefuseAsync(
                stream, LinkRefusalCode.Busy, "The host cannot check tokens now; try again.", cancellationToken).ConfigureAwait(false);
            return;
        }

        if (!decision.IsAdmitted)
        {
            counters.CountWrongToken();
            await Task.Delay(options.RefusalDelay, options.Time, cancellationToken).ConfigureAwait(false);
            await RefuseAsync(stream, LinkRefusalCode.NotAdmitted, decision.Refusal, cancellationToken).ConfigureAwait(false);
            return;
        }

        ClusterAuthority authority = options.Authority;
        var identity = new NodeIdentity(authority.ClusterId, Id128.New(), decision.Application, decision.Role, decision.TokenId);
        using X509Certificate2? certificate = authority.IssueNode(request.PublicKey.Span, identity, request.Name);
        if (certificate is null)
        {
            counters.CountMalformed();
            await RefuseAsync(
                stream, LinkRefusalCode.Malformed, "The public key is not a P-256 key in DER.", cancellationToken).ConfigureAwait(false);
            return;
        }

        counters.CountEnrolled();
        var grant = new EnrollGrant(certificate.RawDataMemory, authority.Trust.Der, authority.ClusterId, identity.NodeId);
        await LinkFrames.WriteAsync(stream, LinkFrameType.Enrolled, grant.ToBytes(), cancellationToken).ConfigureAwait(false);
    }

    private EnrollDecision? Decide(EnrollRequest request)
    {
        try
        {
            return options.Enrollment.Decide(request.Token, request.Application, request.Name);
        }
        catch (Exception)
        {
            counters.CountPolicyError();
            return null;
        }
    }
}
