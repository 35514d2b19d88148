using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Gms.Calls;

/// <summary>Estimates of the core time of frames and calls, in nanoseconds, including the encoding of their answers.</summary>
internal static class CallCosts
{
    /// <summary>A call answered from memory, besides its rows; and what the core does for one that goes to the store.</summary>
    public const long CallNs = 5_000;

    /// <summary>A rollback: the difference of two states of a thousand keys, the most that a release changes.</summary>
    public const long RollbackNs = 1_000_000;

    /// <summary>A header in an answer of history.</summary>
    public const long HeaderNs = 2_000;

    /// <summary>A row of a status answer, or a member in a view.</summary>
    public const long RowNs = 500;

    /// <summary>A new application: a write, a frontier and its tables.</summary>
    public const long CreateNs = 1_000_000;

    /// <summary>The check of a signature.</summary>
    public const long VerifyNs = 150_000;

    /// <summary>A certificate of a signer that a node brings.</summary>
    public const long CertificateNs = 1_000_000;

    /// <summary>An event that is taken and matched, besides its bytes.</summary>
    public const long EmitNs = 4_000;

    /// <summary>A subscription: its box is put into the index, over all buckets it touches.</summary>
    public const long SubscribeNs = 10_000;

    /// <summary>A delivery: matched, queued and sent, which its subscriber pays for, besides its bytes.</summary>
    public const long DeliveryNs = 2_000;

    /// <summary>A subscription that a delivery names.</summary>
    public const long NamedSubscriptionNs = 20;

    /// <summary>A character of a predicate.</summary>
    private const long PredicateNs = 40;

    /// <summary>A member that a wait is bound to.</summary>
    private const long BoundNs = 50;

    /// <summary>A member that is asked to report directly, and its report.</summary>
    private const long DemandNs = 2_000;

    private const long KibiByte = 1_024;

    /// <summary>A wait: its predicate is parsed and bound, and one with <c>.direct</c> asks every member.</summary>
    /// <param name="wait">The wait.</param>
    /// <param name="rowCount">The rows of its application.</param>
    public static long Of(Wait wait, int rowCount) => CallNs
        + (wait.Predicate.Length * PredicateNs)
        + (rowCount * (wait.Predicate.Contains(".direct", StringComparison.Ordinal) ? DemandNs : BoundNs));

    /// <summary>
    /// A frame: its decoding, and what is done with it at once, whoever refuses it. What a call costs beyond that is taken when it is
    /// judged. Nothing is free, a frame that nobody knows included.
    /// </summary>
    /// <param name="type">Its type, as the other side says.</param>
    /// <param name="bodyBytes">The bytes of its body.</param>
    public static long OfFrame(MessageType type, int bodyBytes)
    {
        (long ns, long nsPerKibiByte) = type switch
        {
            MessageType.Join => (100_000, 5_000),
            MessageType.Heartbeat => (3_000, 2_000),
            MessageType.Report => (1_000, 2_000),
            MessageType.KeyRequest or MessageType.GroupReport => (5_000, 2_000),
            MessageType.CatchUpRequest => (10_000, 2_000),
            MessageType.BodyRequest or MessageType.ChunkRequest => (3_000, 2_000),
            MessageType.PublishBegin => (20_000, 5_000),
            // Copied, and nothing else.
            MessageType.PublishPart => (1_000, 200),
            MessageType.Rollback => (20_000, 5_000),
            MessageType.Emit => (1_500, 500),
            _ => (1_000, 5_000L),
        };
        return ns + (bodyBytes * nsPerKibiByte / KibiByte);
    }
}
