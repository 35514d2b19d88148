namespace Ripple.Client;

/// <summary>
/// Whether a release may take effect in this process. A rejection is reported to the hosts with its reason; the state before it stays.
/// </summary>
public sealed record ReleaseDecision
{
    private ReleaseDecision(string? reason) => Reason = reason;

    /// <summary>The release takes effect.</summary>
    public static ReleaseDecision Accept { get; } = new((string?)null);

    /// <summary>True when the release takes effect.</summary>
    public bool IsAccepted => Reason is null;

    /// <summary>Why not; null when it is accepted.</summary>
    public string? Reason { get; }

    /// <summary>The release does not take effect.</summary>
    /// <param name="reason">For the publisher: what is wrong, where. Cut after 512 bytes of UTF-8.</param>
    public static ReleaseDecision Reject(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        return new(reason);
    }
}
