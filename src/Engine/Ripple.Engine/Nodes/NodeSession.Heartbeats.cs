using Ripple.Engine.Caching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Protocol.Views;

namespace Ripple.Engine.Nodes;

/// <content>Signs of life, and what their answers say.</content>
internal sealed partial class NodeSession
{
    private const int SilentHeartbeats = 3;

    // How many heartbeats in a row leave it to the stream to bring what the host has: it may bring one application and not another.
    private const int LeftToStreamMax = 3;

    // A host takes a node that says nothing for four heartbeats for failed.
    private const int LateFactorMax = 2;

    // Heartbeats get rarer by an eighth of their distance at a time: a host expects the distance that it saw last, waits for two and a
    // quarter of it, and so hears who stands still for a second at the end of a longer one.
    private const int StretchPart = 8;

    private long _heartbeatNs;
    private long _intervalNs;
    private long _lastReplyNs;
    private long _askedNs;
    private long _answeredNs;
    private long _answerTookNs;
    private int _leftToStream;
    private ulong _heartbeatSequence;
    private RepairReport _toldRepairs = RepairReport.None;
    private ulong _contiguousAsked;

    /// <summary>
    /// Whether the last heartbeat that was answered was sent long ago, or before this process stood still, though the connection stands. An
    /// answer that has waited in a buffer proves nothing: what counts is when its question was asked.
    /// </summary>
    public bool IsHostSilent =>
        _isJoined && (_answeredNs < _core.ResumedNs || _core.NowNs - _answeredNs > SilentHeartbeats * _intervalNs);

    private void BeginHeartbeats(JoinAccepted accepted)
    {
        _intervalNs = _heartbeatNs = Math.Max(10, accepted.HeartbeatMs) * 1_000_000L;
        _lastReplyNs = _askedNs = _answeredNs = _core.NowNs;
        _answerTookNs = 0;
        _toldRepairs = RepairReport.None;
        _core.ScheduleIn(_heartbeat, _core.Random.NextInt64(_heartbeatNs));
    }

    private void OnHeartbeat()
    {
        if (_core.NowNs - _lastReplyNs > Math.Max(_options.HostSilenceNsMax, 4 * _heartbeatNs))
        {
            _hosts.LeaveOut(_core.NowNs);
            _hosts.Advance();
            Restart("the host does not answer heartbeats");
            return;
        }

        // An overloaded host or node gets fewer heartbeats: a late answer delays the next one.
        long wantedNs = Math.Clamp(2 * _answerTookNs, _heartbeatNs, LateFactorMax * _heartbeatNs);
        _intervalNs = Math.Min(wantedNs, _intervalNs + (_intervalNs / StretchPart));
        _core.ScheduleIn(_heartbeat, _intervalNs);
        _askedNs = _core.NowNs;
        _node.Region?.OnHeartbeat();
        _contiguousAsked = _node.Region?.Receiver.Contiguous ?? 0;
        if (_link is { } link)
        {
            ulong sequence = ++_heartbeatSequence;
            _node.TryTellHost(rows => link.TrySend(new Heartbeat(sequence, _node.ViewNumber, rows)));
        }

        TellRepairs();
    }

    /// <summary>Tells the host of repairs among members, if there were any since.</summary>
    private void TellRepairs()
    {
        CachingCounters caching = _node.Counters.Caching;
        var repairs = new RepairReport((ulong)caching.Repairs, (ulong)caching.Received, (ulong)caching.Misses);
        if (repairs != _toldRepairs && _link?.TrySend(repairs) == true)
        {
            _toldRepairs = repairs;
        }
    }

    private void OnReply(HeartbeatReply reply)
    {
        _lastReplyNs = _core.NowNs;
        // Views that the node was sent since its join may have raised it.
        _slotEpoch = Math.Max(_slotEpoch, reply.View.SlotEpoch);
        if (reply.Sequence != _heartbeatSequence)
        {
            // Another was sent meanwhile.
            _answerTookNs = _intervalNs;
        }
        else
        {
            _answeredNs = _askedNs;
            _answerTookNs = _core.NowNs - _askedNs;
            if (reply.NextSequence > 0 && _node.HasNoSeat)
            {
                // A host that keeps it as a leaf sends it no stream: this one took it out of the view for another reason.
                Restart("the newest view does not include this node");
                return;
            }

            if (reply.NextSequence > 0)
            {
                _node.Region?.OnHostSequence(reply.NextSequence, _contiguousAsked);
            }
        }

        if (_node.VectorDigest != reply.StateVectorDigest)
        {
            if (!IsLeftToStream())
            {
                AskForVector();
            }
        }
        else
        {
            _leftToStream = 0;
            _node.Confirm();
            if (!IsHostSilent)
            {
                _node.OnHostHeard();
            }
        }

        if (_node.View is { } view && view.Number.CompareTo(reply.View) < 0)
        {
            // On one connection, view changes precede this reply: a lower number here means that one was lost.
            _link?.TrySend(new ViewRequest(view.RegionId));
        }
    }

    /// <summary>
    /// Whether the stream has brought something since the heartbeat was sent, or may have: then what is missing is likely on its way.
    /// </summary>
    private bool IsLeftToStream()
    {
        bool isMoving = _node.Region?.Receiver.Contiguous > _contiguousAsked || _core.DataDrainedNs < _askedNs;
        _leftToStream = isMoving && !_node.IsAwaitingHost && _leftToStream < LeftToStreamMax ? _leftToStream + 1 : 0;
        return _leftToStream > 0;
    }
}
