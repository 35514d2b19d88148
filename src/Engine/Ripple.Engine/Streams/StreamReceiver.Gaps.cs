using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <content>Finds missing packets, and requests them from other members or the sender.</content>
internal sealed partial class StreamReceiver
{
    private long _announcedNs;

    /// <summary>
    /// Takes the frames of a packet that a member sealed anew: they count only for what was asked of a peer and is still missing.
    /// </summary>
    public ReceiveStatus OnPeerFrames(ReadOnlySpan<byte> frames)
    {
        if (StreamPosition.Peek(frames, out StreamPosition position) == DecodeStatus.Ok && position.Origin == Origin)
        {
            if (_window.IsReceived(position.Sequence))
            {
                Counters.Duplicates++;
                return ReceiveStatus.Duplicate;
            }

            if (!_gaps.IsOfPeer(position.Sequence))
            {
                Counters.Unasked++;
                return ReceiveStatus.Unasked;
            }
        }

        ReceiveStatus status = OnFrames(frames);
        Counters.PeerRepairs += status == ReceiveStatus.Accepted ? 1 : 0;
        return status;
    }

    /// <summary>Somebody asks this member for packets that it lacks, too: what it has not asked for yet it asks for now.</summary>
    public void OnWanted(ulong block, ulong wanted)
    {
        if (!_isDisposed && _gaps.TryHasten(block, wanted, _core.NowNs))
        {
            _core.Alarms.ScheduleNoLater(_nakAlarm, Math.Max(_core.NowNs, _gaps.NotBeforeNs));
        }
    }

    /// <summary>
    /// A beacon announced packets above those that arrived. Control is handled first, so it may have overtaken data that is still queued
    /// for this core: the packets are missing only once all data that had arrived by then is processed.
    /// </summary>
    private void OnAnnounced()
    {
        FindGaps(_window.Highest);
        if (_announced > Math.Max(_window.Highest, _gaps.Covered))
        {
            _announcedNs = _core.NowNs;
            _core.Alarms.ScheduleNoLater(_tailAlarm, _core.NowNs + SpreadNs());
        }
    }

    private void OnTailDue()
    {
        if (_core.DataDrainedNs >= _announcedNs)
        {
            FindGaps(Highest);
        }
        else if (_announced > _window.Highest)
        {
            _core.ScheduleIn(_tailAlarm, _options.NakSpreadMaxNs);
        }
    }

    private long SpreadNs() => _core.Random.NextInt64(Math.Min(_gaps.RttNs / 4, _options.NakSpreadMaxNs) + 1);

    /// <summary>Schedules the requests for missing packets, up to a sequence known to be sent and within the window.</summary>
    private void FindGaps(ulong highest)
    {
        ulong limit = Math.Min(highest, _window.Limit);
        ulong next = Math.Max(_gaps.Covered, Contiguous) + 1;
        long dueNs = long.MaxValue;
        while (next <= limit)
        {
            ulong first = _window.Next(next, limit, isReceived: false);
            if (first > limit)
            {
                break;
            }

            if (dueNs == long.MaxValue)
            {
                dueNs = _core.NowNs + SpreadNs();
            }

            next = _window.Next(first, limit, isReceived: true);
            _gaps.Add(first, next - 1, dueNs);
        }

        _gaps.Cover(limit);
        if (_gaps.IsEmpty)
        {
            _core.Alarms.Cancel(_nakAlarm);
        }
        else if (dueNs != long.MaxValue)
        {
            _core.Alarms.ScheduleNoLater(_nakAlarm, Math.Max(dueNs, _gaps.NotBeforeNs));
        }
    }

    private void OnNakDue()
    {
        AskPeers();
        Span<ulong> missing = stackalloc ulong[NakFrame.WordsMax];
        int count = _gaps.TakeDue(_core.NowNs, _core.DataDrainedNs, missing, out ulong start, out int repeats);
        if (count > 0)
        {
            // With a full queue the request is lost, and repeated like any lost request.
            if (TryAsk(_senderControlAddress, start, missing[..count]))
            {
                Counters.NakRepeats += repeats;
            }

            int asked = 0;
            foreach (ulong word in missing[..count])
            {
                asked += BitOperations.PopCount(word);
            }

            _losses.OnLost(asked - repeats);
        }

        if (!_gaps.IsEmpty)
        {
            _core.Alarms.Schedule(_nakAlarm, _gaps.NextDueNs);
        }
    }

    /// <summary>
    /// Requests from other members what was not requested before: one request for each block, to one member. What is missing after that is
    /// requested from the sender, and so is all where many packets are lost: that is for the sender's pace to know.
    /// </summary>
    private void AskPeers()
    {
        if (_peers is null || _losses.AreMany)
        {
            return;
        }

        for (ulong number = _gaps.FirstBlock; number <= _gaps.LastBlock && !_gaps.IsEmpty; number++)
        {
            ulong due = _gaps.FirstDue(number, _core.NowNs);
            if (due != 0
                && _peers.TryChoose(number, out NodeAddress peer)
                && TryAsk(peer, number * NakFrame.SequencesPerWord, [due]))
            {
                _gaps.OnAskedOfPeer(number, due, _core.NowNs);
                Counters.PeerNaks++;
                _losses.OnLost(BitOperations.PopCount(due));
            }
        }
    }

    private bool TryAsk(in NodeAddress whom, ulong start, scoped ReadOnlySpan<ulong> missing)
    {
        Span<byte> frames = stackalloc byte[NakFrame.FrameBytesMax];
        var writer = new WireWriter(frames);
        NakFrame.Write(ref writer, Origin, start, missing);
        bool isSent = _output.TrySend(whom, PacketClass.Nak, writer.Written);
        Counters.Naks += isSent ? 1 : 0;
        return isSent;
    }
}
