using System.Net.Sockets;
using Ripple.Gms.Api;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>
/// What a standby answers to nodes. Where a leader is that takes connections, it names it at once. Where none is, because it died a moment
/// ago or this host is about to lead, the answer is held back until one is there: each node that is turned away comes again, with a whole
/// handshake, and those of many nodes would take the time that a takeover needs. Any thread.
/// </summary>
/// <param name="leading">Who leads, as far as it is known.</param>
/// <param name="accepts">Whether a host takes connections.</param>
/// <param name="time">The clock.</param>
internal sealed class StandbyAnswers(
    Func<LeadingHost?> leading, Func<HostEndpoint, CancellationToken, Task<bool>> accepts, TimeProvider time)
{
    /// <summary>
    /// The longest an answer is held back: more than a lease and a start, and well below the ten seconds that a node waits for one.
    /// </summary>
    public static readonly TimeSpan HoldMax = TimeSpan.FromSeconds(5);

    /// <summary>How often the leader is looked for while answers are held back.</summary>
    public static readonly TimeSpan LookPeriod = TimeSpan.FromMilliseconds(250);

    private static readonly TimeSpan AcceptTimeout = TimeSpan.FromMilliseconds(200);

    private readonly TaskCompletionSource<LinkRefusal> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _lock = new();
    private Look? _look;

    /// <summary>The answer to a node.</summary>
    /// <param name="cancellationToken">The node has gone.</param>
    public async ValueTask<LinkRefusal> AnswerAsync(CancellationToken cancellationToken)
    {
        long begin = time.GetTimestamp();
        while (!_ended.Task.IsCompleted)
        {
            LeadingHost? leader = leading();
            if (leader is not null && await LookAsync(leader.Endpoint).ConfigureAwait(false))
            {
                return new LinkRefusal(LinkRefusalCode.NotLeader, leader.ToString(), leader.Endpoint);
            }

            TimeSpan left = HoldMax - time.GetElapsedTime(begin);
            if (left <= TimeSpan.Zero)
            {
                return new LinkRefusal(LinkRefusalCode.Busy, leader is null ? LeadingHost.NotKnown : leader.AwayText);
            }

            TimeSpan pause = left < LookPeriod ? left : LookPeriod;
            await Task.WhenAny(_ended.Task, Task.Delay(pause, time, cancellationToken)).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return await _ended.Task.ConfigureAwait(false);
    }

    /// <summary>Answers all who wait, and who comes from now on: the standby's endpoint closes.</summary>
    /// <param name="own">Where this host listens as the leader in a moment; null if it does not.</param>
    public void End(HostEndpoint? own) => _ended.TrySetResult(
        own is { } endpoint
            ? new LinkRefusal(LinkRefusalCode.NotLeader, $"this host leads in a moment: {endpoint}", endpoint)
            : new LinkRefusal(LinkRefusalCode.Busy, LeadingHost.NotKnown));

    /// <summary>One look serves all who come within a while.</summary>
    private Task<bool> LookAsync(HostEndpoint endpoint)
    {
        lock (_lock)
        {
            if (_look is null || _look.Endpoint != endpoint || time.GetElapsedTime(_look.BeginTimestamp) >= LookPeriod)
            {
                _look = new Look(endpoint, time.GetTimestamp(), AcceptsAsync(endpoint));
            }

            return _look.Accepts;
        }
    }

    private async Task<bool> AcceptsAsync(HostEndpoint endpoint)
    {
        using var limit = new CancellationTokenSource(AcceptTimeout, time);
        return await accepts(endpoint, limit.Token).ConfigureAwait(false);
    }

    /// <summary>Whether a host takes TCP connections: that of a process that died does not.</summary>
    public static async Task<bool> TakesConnectionsAsync(HostEndpoint endpoint, CancellationToken cancellationToken)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await socket.ConnectAsync(endpoint.Host, endpoint.Port, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException)
        {
            return false;
        }
    }

    private sealed record Look(HostEndpoint Endpoint, long BeginTimestamp, Task<bool> Accepts);
}
