using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Client.Calls;

/// <summary>
/// Monitors of predicates. If the connection is lost, the host of the next one is asked again, and what it says of the past is left out.
/// </summary>
internal sealed class Follower(HostCalls calls)
{
    /// <summary>How long one asking lasts; then it is asked again, and nobody notices.</summary>
    private static readonly TimeSpan AskedFor = TimeSpan.FromDays(1);

    /// <summary>The points of a predicate, until one of the tokens is canceled.</summary>
    /// <exception cref="RippleException">The host refused, or the name was removed.</exception>
    /// <exception cref="ObjectDisposedException">The client is being disposed of.</exception>
    public async IAsyncEnumerable<FrontierPoint> FollowAsync(
        string application,
        string predicate,
        CancellationToken stopping,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        Waiter.CheckPredicate(predicate);
        Channel<FrontierPoint> newest = Channel.CreateBounded<FrontierPoint>(
            new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true });
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, stopping);
        Task asking = AskAsync(application, predicate, newest.Writer, ending.Token);
        try
        {
            FrontierPoint? last = null;
            while (await MayReadAsync(newest.Reader, stopping, ending.Token, cancellationToken).ConfigureAwait(false))
            {
                while (newest.Reader.TryRead(out FrontierPoint? point))
                {
                    if (last is null || point.IsNewsAfter(last))
                    {
                        yield return last = point;
                    }
                }
            }
        }
        finally
        {
            await ending.CancelAsync().ConfigureAwait(false);
            await asking.ConfigureAwait(false);
        }
    }

    private static async ValueTask<bool> MayReadAsync(
        ChannelReader<FrontierPoint> reader, CancellationToken stopping, CancellationToken ending, CancellationToken cancellationToken)
    {
        try
        {
            return await reader.WaitToReadAsync(ending).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested && stopping.IsCancellationRequested)
        {
            throw new ObjectDisposedException(nameof(RippleClient), "The client was disposed of while it followed a predicate.");
        }
        catch (OperationCanceledException)
        {
            throw new OperationCanceledException(cancellationToken);
        }
    }

    /// <summary>Asks until it is refused or ended; completes the channel, with the reason if there is one. Does not throw.</summary>
    private async Task AskAsync(string application, string predicate, ChannelWriter<FrontierPoint> points, CancellationToken ending)
    {
        CallAttempt<MonitorPoint> NewAttempt() => new(
            calls.Completions,
            (link, call) => link.TrySend(new Monitor(call, application, predicate)),
            answer =>
            {
                var point = (MonitorPoint)answer;
                if (point.Code != ErrorCode.None)
                {
                    return point;
                }

                points.TryWrite(new FrontierPoint(
                    point.Generation, point.Version, point.Release, point.Text.Length == 0 ? null : point.Text));
                return null;
            });
        try
        {
            while (true)
            {
                try
                {
                    MonitorPoint end = await calls.AskAsync(
                        $"a monitor of '{application}'", NewAttempt, p => p.Code, AskedFor, isWait: true, ending).ConfigureAwait(false);
                    if (end.Code != ErrorCode.Busy)
                    {
                        points.TryComplete(new RippleException(end.Code, end.Text));
                        return;
                    }
                }
                catch (RippleTimeoutException)
                {
                    // It lasted, or no host could be reached for as long: it is asked again.
                }
            }
        }
        catch (OperationCanceledException)
        {
            points.TryComplete();
        }
        catch (RippleException e)
        {
            points.TryComplete(e);
        }
    }
}
