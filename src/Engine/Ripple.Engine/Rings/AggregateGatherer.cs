using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Rings;

/// <summary>
/// Puts the aggregates of the leaders of several parts, this member's own among them, into one datagram to the sender. Sends it when those
/// of all parts are there, or a moment after the first, and forgets them: who has no acknowledgement repeats its own straight.
/// </summary>
internal sealed class AggregateGatherer
{
    private readonly RingContext _context;
    private readonly Alarm _alarm;
    // Made with the first: few members gather.
    private byte[]? _frames;
    private int _bytes;
    private int _count;
    private NodeAddress _to;

    public AggregateGatherer(RingContext context)
    {
        _context = context;
        _alarm = new Alarm(Send);
    }

    /// <summary>Of how many parts it gathers; 0 while it does not.</summary>
    public int Parts { get; set; }

    /// <summary>How long those that have come wait for the others; not less than <see cref="RingOptions.GatherNs"/>.</summary>
    public long WaitNs
    {
        get => Math.Max(field, _context.Options.GatherNs);
        set;
    }

    public void OnView(NodeAddress senderControlAddress)
    {
        Cancel();
        _to = senderControlAddress;
    }

    /// <summary>Gathers no more, and forgets what it has.</summary>
    public void Cancel()
    {
        _context.Core.Alarms.Cancel(_alarm);
        Parts = 0;
        _bytes = 0;
        _count = 0;
    }

    /// <summary>Whether an aggregate can be gathered, with the slot of its leader before it.</summary>
    public static bool Fits(int aggregateBytes, int framesBytesMax) =>
        FrameReader.HeaderBytes + sizeof(uint) + aggregateBytes <= framesBytesMax;

    /// <summary>Adds an aggregate. False when it does not gather, or the aggregate fills a packet by itself: it must go straight.</summary>
    /// <param name="slot">The slot of the leader that made it.</param>
    /// <param name="aggregate">The payload.</param>
    public bool TryAdd(uint slot, ReadOnlySpan<byte> aggregate)
    {
        int bytesMax = _context.Output.FramesBytesMax;
        int bytes = FrameReader.HeaderBytes + sizeof(uint) + aggregate.Length;
        if (Parts == 0 || !Fits(aggregate.Length, bytesMax))
        {
            return false;
        }

        if (_bytes + bytes > bytesMax)
        {
            // The others are waited for as before.
            Flush();
        }

        _frames ??= new byte[bytesMax];
        var writer = new WireWriter(_frames.AsSpan(_bytes));
        int start = FrameWriter.Begin(ref writer, FrameType.Gathered);
        writer.WriteU32(slot);
        writer.WriteBytes(aggregate);
        FrameWriter.End(ref writer, start);
        _bytes += writer.Position;
        _count++;
        if (_count >= Parts)
        {
            Send();
        }
        else if (_count == 1)
        {
            _context.Core.ScheduleIn(_alarm, WaitNs);
        }

        return true;
    }

    private void Send()
    {
        _context.Core.Alarms.Cancel(_alarm);
        Flush();
        _count = 0;
    }

    private void Flush()
    {
        if (_bytes > 0)
        {
            // A full queue is treated as a loss: who made them repeats them.
            _ = _context.Output.TrySend(_to, PacketClass.Control, _frames.AsSpan(0, _bytes));
        }

        _bytes = 0;
    }
}
