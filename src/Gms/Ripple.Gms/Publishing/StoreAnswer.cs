using Ripple.Engine.Protocol;
using Ripple.Gms.Store;

namespace Ripple.Gms.Publishing;

/// <summary>What callers are told of the store. Its own words may name files and disks: those are for the host's log.</summary>
internal static class StoreAnswer
{
    public static readonly Refusal Busy = new(
        ErrorCode.Busy, "The host's store has too much waiting. Try again, with the same publish id where there is one.");

    public static readonly Refusal Failed = new(
        ErrorCode.StoreFailed,
        "The host's store did not do it; the host's log says more. Try again, and tell who runs the host if it stays.");

    /// <summary>Why a read brought nothing; null when it was done.</summary>
    public static Refusal? RefusalOf<T>(ReadResult<T> result) => result.Status switch
    {
        StoreStatus.Done => null,
        StoreStatus.Busy => Busy,
        _ => Failed,
    };
}
