using Ripple.Transports.Links;

namespace Ripple.Gms.Endpoint;

/// <summary>Counters of a control endpoint. Any thread; each value is consistent only by itself.</summary>
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

    /// <summary>Bytes sent and received over links.</summary>
    public LinkTraffic Traffic { get; } = new();

    /// <summary>Links handed to the core.</summary>
    public long Admitted => Interlocked.Read(ref _admitted);

    /// <summary>Certificates issued to new nodes.</summary>
    public long Enrolled => Interlocked.Read(ref _enrolled);

    /// <summary>Enrollments refused by the policy.</summary>
    public long WrongTokens => Interlocked.Read(ref _wrongTokens);

    /// <summary>Connections whose certificate is of another authority, of none, or outside its validity.</summary>
    public long WrongCertificates => Interlocked.Read(ref _wrongCertificates);

    /// <summary>Connections with a good certificate that the admission hook refused.</summary>
    public long NotAdmitted => Interlocked.Read(ref _notAdmitted);

    /// <summary>Connections without a certificate that sent no valid enrollment in time.</summary>
    public long Malformed => Interlocked.Read(ref _malformed);

    /// <summary>Connections rejected by a limit, during a stop, or because the core's request queue stayed full.</summary>
    public long OverLimit => Interlocked.Read(ref _overLimit);

    /// <summary>Exceptions thrown by the policy or the admission hook; the peer was told that the host is busy.</summary>
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
