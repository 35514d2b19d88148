using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;

namespace Ripple.Gms.Api;

/// <summary>
/// What is still to come of bodies whose requests have been refused. A client may read its answer only when it has sent everything, so the
/// rest is taken and thrown away; all such bodies together come at a bounded rate, so that decrypting them costs the host little, and
/// their senders feel it. Any thread.
/// </summary>
/// <param name="time">The time.</param>
internal sealed class RefusedBodies(TimeProvider time) : IDisposable
{
    /// <summary>What is taken of one body in one turn. A body with no more left costs no turn.</summary>
    internal const int TurnBytes = 64 * 1024;

    /// <summary>One turn in this time, over all bodies: at most 32 MiB/s.</summary>
    internal static readonly TimeSpan TurnTime = TimeSpan.FromMilliseconds(2);

    private readonly SemaphoreSlim _turn = new(1, 1);

    /// <summary>Takes the rest of the body, if any; a connection that sends more than any request may is closed.</summary>
    public async Task TakeAsync(HttpContext context)
    {
        // A stream of HTTP/2 is reset instead, and the others of its connection go on.
        if (HttpProtocol.IsHttp2(context.Request.Protocol) || context.RequestAborted.IsCancellationRequested)
        {
            return;
        }

        try
        {
            await context.Response.CompleteAsync().ConfigureAwait(false);
            if (!await TakeAsync(context.Request.BodyReader, context.RequestAborted).ConfigureAwait(false))
            {
                context.Abort();
            }
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or BadHttpRequestException)
        {
            // Sent too slowly, too much, or not to its end: the server closes the connection.
        }
    }

    public void Dispose() => _turn.Dispose();

    /// <summary>Whether the body came to its end within what a request may have.</summary>
    internal async Task<bool> TakeAsync(PipeReader body, CancellationToken cancellationToken)
    {
        long left = RequestCost.Change.BodyBytesMax;
        for (int turnBytes = TurnBytes; left > 0; turnBytes = TurnBytes)
        {
            while (turnBytes > 0)
            {
                ReadResult read = await body.ReadAsync(cancellationToken).ConfigureAwait(false);
                turnBytes -= (int)Math.Min(turnBytes, read.Buffer.Length);
                left -= read.Buffer.Length;
                body.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                {
                    return true;
                }
            }

            await WaitForTurnAsync(cancellationToken).ConfigureAwait(false);
        }

        return false;
    }

    private async Task WaitForTurnAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await Task.Delay(TurnTime, time, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }
}
