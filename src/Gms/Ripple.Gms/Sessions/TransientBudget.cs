using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>
/// One budget, over all connections, for data on its way through the host: what is read from the store, values that are fetched, releases
/// to catch up with, messages that a connection does not take. Callers that can wait are queued, first come first served. Core thread.
/// </summary>
internal sealed class TransientBudget(long bytesMax)
{
    /// <summary>What a read of the store may bring: one release with all its values, or one value with its manifest.</summary>
    public const int ReadBytesMax = ReleaseLimits.PublishBytesMax + (1_024 * 1_024);

    private readonly Queue<(long Bytes, Action Taken)> _waiting = [];
    private bool _isLettingIn;

    /// <summary>The bytes taken.</summary>
    public long Bytes { get; private set; }

    /// <summary>The budget.</summary>
    public long BytesMax => bytesMax;

    /// <summary>
    /// Asked when there is no room: gives up something that nobody needs now, and returns its bytes; 0 when there is nothing.
    /// </summary>
    public Func<long>? Spare { get; set; }

    public static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(
            MemoryScope.Process,
            MemoryKind.Transient,
            "what is read, fetched and not yet taken by connections",
            1,
            options.PassingBytesMax);

    /// <summary>Takes at once, before all who wait; false when there is no room.</summary>
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
    /// Takes when there is room and nobody waited before; <paramref name="taken"/> is called then, now or later, and must give back what it
    /// has no use for.
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

    /// <summary>Gives back, and lets in who waits.</summary>
    public void Return(long bytes)
    {
        Bytes -= bytes;
        if (_isLettingIn)
        {
            // Whoever was just let in gave back: those above go on.
            return;
        }

        _isLettingIn = true;
        while (_waiting.TryPeek(out (long Bytes, Action Taken) first) && TryTake(first.Bytes))
        {
            _waiting.Dequeue();
            first.Taken();
        }

        _isLettingIn = false;
    }
}
