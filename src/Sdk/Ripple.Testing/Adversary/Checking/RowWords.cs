using Ripple.Engine.Frontier;

namespace Ripple.Testing.Adversary.Checking;

/// <summary>What a row of the frontier says at a moment.</summary>
internal readonly record struct RowWords(
    uint Generation,
    ulong Received,
    ulong Persisted,
    ulong Applied,
    ulong DirectReceived,
    ulong DirectPersisted,
    ulong DirectApplied,
    int Rejections,
    int DirectRejections,
    bool IsGone)
{
    public static RowWords Of(FrontierRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return new RowWords(
            row.Generation,
            row.Received,
            row.Persisted,
            row.Applied,
            row.DirectReceived,
            row.DirectPersisted,
            row.DirectApplied,
            row.Rejections.Count,
            row.DirectRejections.Count,
            row.IsGone);
    }

    /// <summary>Whether all that a member told by itself is the same: what a ring said of it does not count.</summary>
    public bool IsDirectlyAs(in RowWords other) =>
        this == other with { Received = Received, Persisted = Persisted, Applied = Applied, Rejections = Rejections };
}
