using System.Globalization;
using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Monitors;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Sessions;

/// <summary>
/// The monitors of one control connection. Of each, one point waits for room on the connection, the newest: who takes slowly misses points,
/// and holds nothing. Core thread.
/// </summary>
/// <param name="host">The calls.</param>
/// <param name="connection">The connection.</param>
/// <param name="share">Its share of the core.</param>
/// <param name="waitShare">What its waits and monitors cost.</param>
/// <param name="countMax">The most waits and monitors together.</param>
internal sealed class ConnectionMonitors(
    CallService host, NodeConnection connection, CallBudget.Share share, WaitShare waitShare, int countMax)
{
    private readonly SortedDictionary<uint, Followed> _monitors = [];
    private readonly LinkedList<Followed> _unsent = [];

    /// <summary>How many there are.</summary>
    public int Count => _monitors.Count;

    /// <summary>Whether a call number is in use.</summary>
    public bool Contains(uint call) => _monitors.ContainsKey(call);

    /// <summary>Begins one, or says why not.</summary>
    public void Begin(Caller caller, Monitor monitor, int waitCount)
    {
        if (waitCount + Count >= countMax || Contains(monitor.Call))
        {
            Refuse(monitor.Call, share.OnBusy(new Refusal(ErrorCode.Busy, string.Create(
                CultureInfo.InvariantCulture,
                $"More than {countMax} waits and monitors are under way on this connection. End some first."))));
            return;
        }

        if (share.TryTake(host.CostOf(monitor)) is { } tooOften)
        {
            Refuse(monitor.Call, tooOften);
            return;
        }

        var followed = new Followed(monitor);
        _monitors.Add(monitor.Call, followed);
        IDisposable? handle = host.Follow(
            caller, waitShare, monitor, point => OnPoint(followed, point), ended => OnEnded(monitor.Call, ended), out Refusal? refusal);
        if (refusal is not null)
        {
            _monitors.Remove(monitor.Call);
            Refuse(monitor.Call, refusal.Code == ErrorCode.Busy ? share.OnBusy(refusal) : refusal);
            return;
        }

        followed.Handle = handle;
    }

    /// <summary>Ends one without another word; does nothing if there is none.</summary>
    public void End(uint call)
    {
        if (_monitors.Remove(call, out Followed? followed))
        {
            if (followed.Point is not null)
            {
                _unsent.Remove(followed);
            }

            followed.Handle?.Dispose();
        }
    }

    /// <summary>Ends those that the token no longer grants, each with that answer.</summary>
    public void EndUnentitled(Caller caller)
    {
        foreach (Followed followed in _monitors.Values.ToArray())
        {
            if (host.RefuseMonitor(caller, followed.Asked.Application) is { } refusal)
            {
                OnEnded(followed.Asked.Call, refusal);
            }
        }
    }

    /// <summary>Sends the points that wait; false if the connection has no room.</summary>
    public bool TrySend(ILink link)
    {
        while (_unsent.First is { Value: { Point: { } point } followed })
        {
            if (!link.TrySend(Message(followed.Asked.Call, point)))
            {
                return false;
            }

            followed.Point = null;
            _unsent.RemoveFirst();
        }

        return true;
    }

    /// <summary>Ends all, when the connection is gone.</summary>
    public void Close()
    {
        foreach (uint call in _monitors.Keys.ToArray())
        {
            End(call);
        }
    }

    private static MonitorPoint Message(uint call, FrontierPoint point) =>
        new(call, ErrorCode.None, point.Problem ?? string.Empty, point.Generation, point.Version, point.Release);

    private void OnPoint(Followed followed, FrontierPoint point)
    {
        bool isQueued = followed.Point is not null;
        followed.Point = point;
        if (!isQueued)
        {
            _unsent.AddLast(followed);
            connection.Pump();
        }
    }

    private void OnEnded(uint call, Refusal refusal)
    {
        End(call);
        Refuse(call, refusal);
    }

    private void Refuse(uint call, Refusal refusal) => connection.Send(new MonitorPoint(call, refusal.Code, refusal.Text, 0, 0, 0));

    private sealed class Followed(Monitor asked)
    {
        public Monitor Asked => asked;

        public IDisposable? Handle { get; set; }

        /// <summary>The newest point that was not sent; null if there is none.</summary>
        public FrontierPoint? Point { get; set; }
    }
}
