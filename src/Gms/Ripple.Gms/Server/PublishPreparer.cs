using System.Threading.Channels;
using Ripple.Engine.Protocol;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Server;

/// <summary>
/// Prepares publishes on the thread pool: as many at once as there are processors, and at most <see cref="WaitingMax"/> more that wait.
/// </summary>
internal sealed class PublishPreparer : IPublishPreparer, IAsyncDisposable
{
    /// <summary>The most publishes that wait.</summary>
    public const int WaitingMax = 256;

    private readonly Channel<Work> _waiting;
    private readonly Task[] _workers;

    /// <param name="workerCount">How many are prepared at once. Default the processors of the machine.</param>
    /// <param name="waitingMax">The most that wait.</param>
    public PublishPreparer(int? workerCount = null, int waitingMax = WaitingMax)
    {
        _waiting = Channel.CreateBounded<Work>(new BoundedChannelOptions(waitingMax) { FullMode = BoundedChannelFullMode.Wait });
        _workers = [.. Enumerable.Range(0, workerCount ?? Environment.ProcessorCount).Select(_ => Task.Run(RunAsync))];
    }

    /// <inheritdoc/>
    public bool TryPrepare(PublishInput input, Action<PreparedPublish?, Refusal?> done) => _waiting.Writer.TryWrite(new(input, done));

    /// <summary>Takes no more and finishes what was taken.</summary>
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
            // The publisher waits for an answer, whatever the content did to the preparation; the content itself must not come out in a
            // message.
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
