using Ripple.Transports.Links;

namespace Ripple.Gms.Endpoint;

/// <summary>What a control endpoint has done. Any thread; each value by itself.</summary>
public sealed class LinkEndpointCounters
{
    private long _admitted;
    private long _enrolled;
    private long _wrongTokens;
    private long _wrongCertificates;
    private long _notAdmitted;
    private long _malformed;
    private long _overLimit;
    private long _policyErrors;

    /// <summary>Bytes that went over links.</summary>
    public LinkTraffic Traffic { get; } = new();

    /// <summary>Links handed to the core.</summary>
    public long Admitted => Interlocked.Read(ref _admitted);

    /// <summary>Certificates made for new nodes.</summary>
    public long Enrolled => Interlocked.Read(ref _enrolled);

    /// <summary>Enrolments refused by the policy.</summary>
    public long WrongTokens => Interlocked.Read(ref _wrongTokens);

    /// <summary>Connections with a certificate of another authority, of nobody, or out of time.</summary>
    public long WrongCertificates => Interlocked.Read(ref _wrongCertificates);

    /// <summary>Connections with a good certificate that the admission hook refused.</summary>
    public long NotAdmitted => Interlocked.Read(ref _notAdmitted);

    /// <summary>Connections without certificate that sent nothing in time, or something else than an enrolment.</summary>
    public long Malformed => Interlocked.Read(ref _malformed);

    /// <summary>Connections turned away for a limit, or because the core's door stayed full.</summary>
    public long OverLimit => Interlocked.Read(ref _overLimit);

    /// <summary>Exceptions out of the policy or the admission hook; the other side was told that the host is busy.</summary>
    public long PolicyErrors => Interlocked.Read(ref _policyErrors);

    internal void CountAdmitted() => Interlocked.Increment(ref _admitted);

    internal void CountEnrolled() => Interlocked.Increment(ref _enrolled);

    internal void CountWrongToken() => Interlocked.Increment(ref _wrongTokens);

    internal void CountWrongCertificate() => Interlocked.Increment(ref _wrongCertificates);

    internal void CountNotAdmitted() => Interlocked.Increment(ref _notAdmitted);

    internal void CountMalformed() => Interlocked.Increment(ref _malformed);

    internal void CountOverLimit() => Interlocked.Increment(ref _overLimit);

    internal void CountPolicyError() => Interlocked.Increment(ref _policyErrors);
}
