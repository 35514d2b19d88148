using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Ripple.Gms.Endpoint;

/// <summary>
/// Bounds the number of concurrent TLS handshakes: after a restart all nodes connect at once, and each handshake costs a millisecond of
/// processor time that connected nodes would otherwise wait for. A connection takes a turn once its whole ClientHello is there; sources
/// take turns, and none has more than a quarter of them. One that stalls mid-handshake loses its turn after <see cref="TurnMax"/>.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "No wait handle is asked for.")]
internal sealed class HandshakeLimiter(int handshakesMax)
{
    /// <summary>The longest a handshake holds its turn; it may continue without one.</summary>
    public static readonly TimeSpan TurnMax = TimeSpan.FromSeconds(1);

    private readonly SourceTurns _turns = new(handshakesMax, Math.Max(1, handshakesMax / 4));

    /// <summary>The highest number of concurrent turns so far.</summary>
    public int RunningMax => _turns.RunningMax;

    /// <summary>
    /// Waits for a whole ClientHello without consuming it; false if something else came, the peer closed, or time ran out.
    /// </summary>
    public static async Task<bool> HearAsync(ConnectionContext connection, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, connection.ConnectionClosed);
        limit.CancelAfter(timeout);
        try
        {
            PipeReader input = connection.Transport.Input;
            while (true)
            {
                ReadResult read = await input.ReadAsync(limit.Token).ConfigureAwait(false);
                bool? isWhole = ClientHello.IsWhole(read.Buffer);
                if (isWhole is null && !read.IsCompleted && read.Buffer.Length < ClientHello.BytesMax)
                {
                    input.AdvanceTo(read.Buffer.Start, read.Buffer.End);
                    continue;
                }

                // Left unexamined, so that the handshake reads it immediately.
                input.AdvanceTo(read.Buffer.Start);
                return isWhole == true;
            }
        }
        catch (Exception e) when (e is OperationCanceledException or IOException or ConnectionAbortedException)
        {
            return false;
        }
    }

    /// <summary>Waits for a turn. Null if the peer closed, the time ran out or the wait was canceled.</summary>
    public async Task<Turn?> EnterAsync(
        ConnectionContext connection, SourceAddress source, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, connection.ConnectionClosed);
        limit.CancelAfter(timeout);
        try
        {
            await _turns.EnterAsync(source, limit.Token).ConfigureAwait(false);
            return new Turn(_turns, source);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    /// <summary>A turn, ended once: by the handshake or by the timeout, whichever is first.</summary>
    public sealed class Turn : IDisposable
    {
        private readonly Timer _timer;
        private readonly SourceAddress _source;
        private SourceTurns? _turns;

        public Turn(SourceTurns turns, SourceAddress source)
        {
            _turns = turns;
            _source = source;
            _timer = new Timer(static turn => ((Turn)turn!).Dispose(), this, TurnMax, Timeout.InfiniteTimeSpan);
        }

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _turns, null) is { } turns)
            {
                _timer.Dispose();
                turns.Leave(_source);
            }
        }
    }
}
