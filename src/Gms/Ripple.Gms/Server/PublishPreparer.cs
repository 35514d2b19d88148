using System.Threading.Channels;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Server;

/// <summary>
/// Prepares publishes on the thread pool: as many at once as there are processors, with at most <see cref="WaitingMax"/> more waiting.
/// </summary>
internal sealed class PublishPreparer : IPublishPreparer, IAsyncDisposable
{
    /// <summary>The most waiting publishes.</summary>
    public const int WaitingMax = 256;

    private readonly Channel<Work> _waiting;
    private readonly Task[] _workers;

    /// <param name="workerCount">The number prepared at once. Default: the machine's processor count.</param>
    /// <param name="waitingMax">The most waiting publishes.</param>
    public PublishPreparer(int? workerCount = null, int waitingMax = WaitingMax)
    {
        _waiting = Channel.CreateBounded<Work>(new BoundedChannelOptions(waitingMax) { FullMode = BoundedChannelFullMode.Wait });
        _workers = [.. Enumerable.Range(0, workerCount ?? Environment.ProcessorCount).Select(_ => Task.Run(RunAsync))];
    }

    /// <summary>Adds the memory of documents that are checked: the paths of each, which may be far longer than the document.</summary>
    public static void AddMemory(MemoryBudget budget) => budget.Add(
        MemoryScope.Process,
        MemoryKind.Transient,
        "publishes: paths of documents under check",
        Environment.ProcessorCount,
        JsonExpansion.CharsMax * sizeof(char));

    /// <inheritdoc/>
    public bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done) => _waiting.Writer.TryWrite(new(input, done));

    /// <summary>Accepts no more and finishes the accepted ones.</summary>
    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        await Task.WhenAll(_workers).ConfigureAwait(false);
    }

    private static void Prepare(Work work)
    {
        PreparedPublish? prepared;
        Refusal? refusal;
        try
        {
            prepared = PublishPreparation.Prepare(work.Input, out refusal);
        }
        catch (Exception e)
        {
            // Always answer the publisher, but never expose the content in a message.
            prepared = null;
            refusal = new Refusal(ErrorCode.InvalidRequest, $"The publish could not be prepared ({e.GetType().Name}).");
        }

        work.Done(prepared, refusal);
    }

    private async Task RunAsync()
    {
        await foreach (Work work in _waiting.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            Prepare(work);
        }
    }

    private readonly record struct Work(PublishInput Input, Action<PreparedPublish?, Refusal?> Done);
}
