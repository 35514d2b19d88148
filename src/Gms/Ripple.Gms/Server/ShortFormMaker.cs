using System.Threading.Channels;
using Ripple.Engine.Memory;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Server;

/// <summary>Makes short forms of values on the thread pool, one at a time.</summary>
internal sealed class ShortFormMaker : IShortFormMaker, IAsyncDisposable
{
    /// <summary>The most that wait; what comes on top of it is not made.</summary>
    public const int WaitingMax = 256;

    /// <summary>The most bytes of values that wait: their publishes may be over, and hold them no more.</summary>
    public const long WaitingBytesMaxDefault = 16 * 1_024 * 1_024;

    /// <summary>About what Brotli holds while it compresses the longest value.</summary>
    private const int EncoderBytes = 8 * 1_024 * 1_024;

    private readonly Channel<ShortFormWork> _waiting =
        Channel.CreateBounded<ShortFormWork>(new BoundedChannelOptions(WaitingMax) { SingleReader = true });

    private readonly long _waitingBytesMax;
    private readonly Task _worker;
    private long _waitingBytes;

    /// <param name="waitingBytesMax">The most bytes of values that wait.</param>
    public ShortFormMaker(long waitingBytesMax = WaitingBytesMaxDefault)
    {
        _waitingBytesMax = waitingBytesMax;
        _worker = Task.Run(RunAsync);
    }

    /// <summary>The bytes of what waits or is made. Any thread.</summary>
    public long WaitingBytes => Interlocked.Read(ref _waitingBytes);

    /// <summary>Adds the memory of what waits, and of the one that is made.</summary>
    public static void AddMemory(MemoryBudget budget) => budget.Add(
        MemoryScope.Process,
        MemoryKind.Transient,
        "releases: short forms that wait or are made",
        1,
        WaitingBytesMaxDefault + ValueDelta.ScratchBytesMax + (2 * ValueCompression.ValueBytesMax) + EncoderBytes);

    /// <inheritdoc/>
    public void Make(ShortFormWork work)
    {
        if (Interlocked.Add(ref _waitingBytes, work.Bytes) > _waitingBytesMax || !_waiting.Writer.TryWrite(work))
        {
            Interlocked.Add(ref _waitingBytes, -work.Bytes);
        }
    }

    /// <summary>Makes no more.</summary>
    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        await _worker.ConfigureAwait(false);
    }

    private async Task RunAsync()
    {
        await foreach (ShortFormWork work in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            work.Make();
            Interlocked.Add(ref _waitingBytes, -work.Bytes);
        }
    }
}
