using Ripple.Engine.Protocol;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>Refusals for store failures. The store's own messages may name files and disks and go only to the host's log.</summary>
internal static class StoreAnswer
{
    public static readonly Refusal Busy = new(
        ErrorCode.Busy, "The host's store has too much waiting. Try again, with the same publish id where there is one.");

    public static readonly Refusal Failed = new(
        ErrorCode.StoreFailed,
        "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.");

    public static readonly Refusal Damaged = new(
        ErrorCode.StoreDamaged,
        "What the host's store has is not what was released; the host's log says what it is. Tell who runs the host.");

    /// <summary>The refusal for a failed read; null if it succeeded.</summary>
    public static Refusal? RefusalOf<T>(ReadResult<T> result) => result.Status switch
    {
        StoreStatus.Done => null,
        StoreStatus.Busy => Busy,
        StoreStatus.Damaged => Damaged,
        _ => Failed,
    };
}
