using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// Lets a bounded number of TLS handshakes run at once: after a restart everybody comes at the same time, and each handshake is a
/// millisecond of processor time that the nodes which are in already would wait for. The others wait in the order in which their first
/// bytes came; how many may wait is bounded by the endpoint's places. A connection that says nothing takes no turn, and one that stops in
/// the middle gives it back after <see cref="TurnMax"/>.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "No wait handle is asked for.")]
internal sealed class HandshakeLimiter(int handshakesMax)
{
    /// <summary>How long a handshake keeps its turn; it may go on without.</summary>
    public static readonly TimeSpan TurnMax = TimeSpan.FromSeconds(1);

    private readonly SemaphoreSlim _turns = new(handshakesMax, handshakesMax);
    private int _running;
    private int _runningMax;

    /// <summary>The most that ever had a turn at once.</summary>
    public int RunningMax => Volatile.Read(ref _runningMax);

    /// <summary>Waits for the first bytes, without taking them, then for a turn; null when the other side went away first.</summary>
    public async Task<Turn?> EnterAsync(ConnectionContext connection, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, connection.ConnectionClosed);
        limit.CancelAfter(timeout);
        try
        {
            PipeReader input = connection.Transport.Input;
            ReadResult read = await input.ReadAsync(limit.Token).ConfigureAwait(false);
            bool isThere = !read.Buffer.IsEmpty;
            // Not examined: the handshake finds it at once.
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

    /// <summary>A turn; ended once, by whoever is first.</summary>
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
