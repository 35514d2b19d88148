using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// Bounds the number of concurrent TLS handshakes: after a restart all nodes connect at once, and each handshake costs a millisecond of
/// processor time that connected nodes would otherwise wait for. Further connections queue in the order of their first bytes, bounded by
/// the endpoint's connection limits. A silent connection takes no turn, and one that stalls mid-handshake loses its turn after
/// <see cref="TurnMax"/>.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "No wait handle is asked for.")]
internal sealed class HandshakeLimiter(int handshakesMax)
{
    /// <summary>The longest a handshake holds its turn; it may continue without one.</summary>
    public static readonly TimeSpan TurnMax = TimeSpan.FromSeconds(1);

    private readonly SemaphoreSlim _turns = new(handshakesMax, handshakesMax);
    private int _running;
    private int _runningMax;

    /// <summary>The highest number of concurrent turns so far.</summary>
    public int RunningMax => Volatile.Read(ref _runningMax);

    /// <summary>
    /// Waits for the first bytes without consuming them, then for a turn. Null if the peer closed, the time ran out or the wait was
    /// canceled.
    /// </summary>
    public async Task<Turn?> EnterAsync(ConnectionContext connection, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, connection.ConnectionClosed);
        limit.CancelAfter(timeout);
        try
        {
            PipeReader input = connection.Transport.Input;
            ReadResult read = await input.ReadAsync(limit.Token).ConfigureAwait(false);
            bool isThere = !read.Buffer.IsEmpty;
            // Left unexamined, so that the handshake reads it immediately.
            input.AdvanceTo(read.Buffer.Start);
            if (!isThere)
            {
                return null;
            }

            await _turns.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or ConnectionAbortedException)
        {
            return null;
        }

        int running = Interlocked.Increment(ref _running);
        for (int seen = RunningMax; running > seen; seen = RunningMax)
        {
            Interlocked.CompareExchange(ref _runningMax, running, seen);
        }

        return new Turn(this);
    }

    private void Leave()
    {
        Interlocked.Decrement(ref _running);
        _turns.Release();
    }

    /// <summary>A turn, ended once: by the handshake or by the timeout, whichever is first.</summary>
    public sealed class Turn : IDisposable
    {
        private readonly Timer _timer;
        private HandshakeLimiter? _gate;

        public Turn(HandshakeLimiter gate)
        {
            _gate = gate;
            _timer = new Timer(static turn => ((Turn)turn!).Dispose(), this, TurnMax, Timeout.InfiniteTimeSpan);
        }

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _gate, null) is { } gate)
            {
                _timer.Dispose();
                gate.Leave();
            }
        }
    }
}
