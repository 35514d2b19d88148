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

    private readonly Channel<ShortFormWork> _waiting =
        Channel.CreateBounded<ShortFormWork>(new BoundedChannelOptions(WaitingMax) { SingleReader = true });

    private readonly Task _worker;

    public ShortFormMaker() => _worker = Task.Run(RunAsync);

    /// <summary>Adds the memory of the one that is made: values belong to publishes and to <see cref="RecentValues"/>.</summary>
    public static void AddMemory(MemoryBudget budget) => budget.Add(
        MemoryScope.Process,
        MemoryKind.Transient,
        "releases: a short form while it is made",
        1,
        ValueDelta.ScratchBytesMax + ValueCompression.ValueBytesMax);

    /// <inheritdoc/>
    public void Make(ShortFormWork work) => _waiting.Writer.TryWrite(work);

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
        }
    }
}
