using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <content>Finds missing packets, and requests them from the sender.</content>
internal sealed partial class StreamReceiver
{
    private long _announcedNs;

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
        Span<ulong> missing = stackalloc ulong[NakFrame.WordsMax];
        int count = _gaps.TakeDue(_core.NowNs, _core.DataDrainedNs, missing, out ulong start, out int repeats);
        if (count > 0)
        {
            Span<byte> frames = stackalloc byte[NakFrame.FrameBytesMax];
            var writer = new WireWriter(frames);
            NakFrame.Write(ref writer, Origin, start, missing[..count]);
            // With a full queue the request is lost, and repeated like any lost request.
            if (_output.TrySend(_senderControlAddress, PacketClass.Nak, writer.Written))
            {
                Counters.Naks++;
                Counters.NakRepeats += repeats;
            }
        }

        if (!_gaps.IsEmpty)
        {
            _core.Alarms.Schedule(_nakAlarm, _gaps.NextDueNs);
        }
    }
}
