using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>
/// One budget, over all connections, for data in transit through the host: store reads, fetched values, releases for catch-up, and messages
/// that a connection has not taken. Callers that can wait are queued FIFO. Core thread.
/// </summary>
internal sealed class TransientBudget(long bytesMax)
{
    /// <summary>The reservation for one store read: one release with all its values, or one value with its manifest.</summary>
    public const int ReadBytesMax = ReleaseLimits.PublishBytesMax + (1_024 * 1_024);

    private readonly Queue<(long Bytes, Action Taken)> _waiting = [];
    private bool _isAdmitting;

    /// <summary>Bytes in use.</summary>
    public long Bytes { get; private set; }

    /// <summary>The limit, in bytes.</summary>
    public long BytesMax => bytesMax;

    /// <summary>Called when there is no room: frees an unneeded item and returns its bytes; 0 when there is none.</summary>
    public Func<long>? Spare { get; set; }

    public static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(
            MemoryScope.Process,
            MemoryKind.Transient,
            "what is read, fetched and not yet taken by connections",
            1,
            options.TransientBytesMax);

    /// <summary>Takes immediately, ahead of queued callers; false when there is no room.</summary>
    public bool TryTake(long bytes)
    {
        while (Bytes + bytes > bytesMax)
        {
            long spared = Spare?.Invoke() ?? 0;
            if (spared == 0)
            {
                return false;
            }

            Bytes -= spared;
        }

        Bytes += bytes;
        return true;
    }

    /// <summary>
    /// Takes when there is room and no earlier caller waits; <paramref name="taken"/> then runs, now or later, and must return the bytes it
    /// does not use.
    /// </summary>
    public void Take(long bytes, Action taken)
    {
        if (_waiting.Count == 0 && TryTake(bytes))
        {
            taken();
            return;
        }

        _waiting.Enqueue((bytes, taken));
    }

    /// <summary>Returns bytes, and serves queued callers.</summary>
    public void Return(long bytes)
    {
        Bytes -= bytes;
        ServeWaiting();
    }

    /// <summary>Serves queued callers, after something that is held may be spared.</summary>
    public void ServeWaiting()
    {
        if (_isAdmitting)
        {
            // A caller just served came back here: the loop that served it continues.
            return;
        }

        _isAdmitting = true;
        while (_waiting.TryPeek(out (long Bytes, Action Taken) first) && TryTake(first.Bytes))
        {
            _waiting.Dequeue();
            first.Taken();
        }

        _isAdmitting = false;
    }
}
