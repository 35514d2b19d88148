using System.Security.Cryptography.X509Certificates;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// The host's side of enrollment for one connection without a certificate: one request, one answer, then the connection closes.
/// </summary>
internal sealed class EnrollmentHandler(LinkEndpointOptions options, LinkEndpointCounters counters)
{
    private readonly SourceTurns _turns = new(options.AnonymousMax, Math.Max(1, options.AnonymousMax / 2));

    /// <exception cref="OperationCanceledException">The time limit has passed, or the host is stopping.</exception>
    /// <exception cref="IOException">The connection broke.</exception>
    public async Task ServeAsync(Stream stream, SourceAddress source, CancellationToken cancellationToken)
    {
        if (!await TryEnterAsync(source, cancellationToken).ConfigureAwait(false))
        {
            counters.CountOverLimit();
            await RefuseAsync(
                stream, LinkRefusalCode.Busy, "Too many nodes enrol at once; try again.", cancellationToken).ConfigureAwait(false);
            return;
        }

        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(options.EnrollTimeout);
            EnrollRequest? request = await ReadAsync(stream, limit.Token).ConfigureAwait(false);
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

            await AnswerAsync(stream, request, source, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _turns.Leave(source);
        }
    }

    /// <summary>Waits for a turn for most of the time there is; false if none came.</summary>
    private async Task<bool> TryEnterAsync(SourceAddress source, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(options.AdmissionTimeout / 2);
        try
        {
            await _turns.EnterAsync(source, limit.Token).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return false;
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

    private async Task AnswerAsync(
        Stream stream, EnrollRequest request, SourceAddress source, CancellationToken cancellationToken)
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

        if (options.StandsBy?.Invoke() is { } refusal)
        {
            // Who leads judges the token.
            await LinkFrames.WriteAsync(
                stream, LinkFrameType.EnrollRefused, refusal.ToBytes(), cancellationToken).ConfigureAwait(false);
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
            options.OnWrongToken(source.ToString());
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
        options.OnEnrolled(identity, request.Name);
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
