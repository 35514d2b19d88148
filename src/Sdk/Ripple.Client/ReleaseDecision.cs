namespace Ripple.Client;

/// <summary>
/// Whether a release may take effect in this process. A rejection is reported to the hosts with its reason; the previous state remains in
/// effect.
/// </summary>
public sealed record ReleaseDecision
{
    private ReleaseDecision(string? reason) => Reason = reason;

    /// <summary>The release takes effect.</summary>
    public static ReleaseDecision Accept { get; } = new((string?)null);

    /// <summary>Whether the release takes effect.</summary>
    public bool IsAccepted => Reason is null;

    /// <summary>The reason for the rejection; null if accepted.</summary>
    public string? Reason { get; }

    /// <summary>The release does not take effect.</summary>
    /// <param name="reason">What is wrong and where, for the publisher. Truncated to 512 bytes of UTF-8.</param>
    public static ReleaseDecision Reject(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        return new(reason);
    }
}
