using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// The receiving side of one stream at one member: takes each packet once, in any order, requests missing ones, and delivers messages as
/// they complete. Memory is bounded whatever arrives. Core thread.
/// </summary>
/// <remarks>
/// A packet's seal proves membership only: any member can forge packets and beacons of this stream. Messages are then missing or false
/// here; the signed chain of the releases reveals it, and catch-up by release repairs it.
/// </remarks>
internal sealed partial class StreamReceiver : IDisposable
{
    /// <summary>How far above the contiguous packets a packet is accepted.</summary>
    public const int WindowPackets = ReceiveWindow.Packets;

    /// <summary>How many packets a second the sender may have sent, at most, since it last said so over its connection.</summary>
    private const long PacketsPerSecondMax = 1_000_000;

    private readonly CoreLoop _core;
    private readonly NodeAddress _senderControlAddress;
    private readonly IFrameSender _output;
    private readonly IStreamReceiverHandler _handler;
    private readonly StreamOptions _options;
    private readonly ReceiveWindow _window;
    private readonly GapBlocks _gaps;
    private readonly MessageAssembler _assembler;
    private readonly Alarm _nakAlarm;
    private readonly Alarm _tailAlarm;
    private readonly IRepairPeers? _peers;
    private LossShare _losses;
    private ulong _announced;
    private ulong _sent;
    private long _sentNs;
    private bool _isDisposed;

    /// <summary>Makes a receiver that counts everything before its first sequence as received.</summary>
    /// <param name="core">The core all calls are made on.</param>
    /// <param name="origin">The incarnation of the stream's sender.</param>
    /// <param name="firstSequence">The first sequence this member is owed; at least 1.</param>
    /// <param name="senderControlAddress">Where requests for repair go.</param>
    /// <param name="output">The region's output; not owned.</param>
    /// <param name="handler">Takes the messages.</param>
    /// <param name="options">Sizes and times.</param>
    /// <param name="peers">Who else is asked for repair; null for the sender alone.</param>
    public StreamReceiver(
        CoreLoop core,
        ulong origin,
        ulong firstSequence,
        NodeAddress senderControlAddress,
        IFrameSender output,
        IStreamReceiverHandler handler,
        StreamOptions options,
        IRepairPeers? peers = null)
    {
        ArgumentOutOfRangeException.ThrowIfZero(firstSequence);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(firstSequence, StreamPosition.SequenceMax);
        _core = core;
        Origin = origin;
        _senderControlAddress = senderControlAddress;
        _output = output;
        _handler = handler;
        _options = options;
        _peers = peers;
        _window = new ReceiveWindow(firstSequence);
        _gaps = new GapBlocks(options, _window);
        _assembler = new MessageAssembler(core, options);
        _nakAlarm = new Alarm(OnNakDue);
        _tailAlarm = new Alarm(OnTailDue);
        _announced = firstSequence - 1;
        OnSent(firstSequence - 1);
    }

    /// <summary>The incarnation of the stream's sender.</summary>
    public ulong Origin { get; }

    /// <summary>Every sequence owed up to here arrived, or was skipped. Only grows.</summary>
    public ulong Contiguous => _window.Contiguous;

    /// <summary>The newest sequence known to have been sent.</summary>
    public ulong Highest => Math.Max(_window.Highest, _announced);

    /// <summary>The sender's floor according to the last beacon.</summary>
    public ulong Floor { get; private set; }

    /// <summary>
    /// The smoothed time from a request for repair to the repair, in nanoseconds; an assumed value until one was measured.
    /// </summary>
    public long RttNs => _gaps.RttNs;

    /// <summary>How many messages are in assembly.</summary>
    public int AssemblyCount => _assembler.Count;

    /// <summary>The bytes those messages hold.</summary>
    public int AssemblyBytes => _assembler.HeldBytes;

    /// <summary>What was done so far.</summary>
    public StreamReceiverCounters Counters { get; init; } = new();

    /// <summary>
    /// Adds the memory that the receiver of one stream takes from the start. Longer incomplete messages take up to
    /// <see cref="StreamOptions.AssemblyBytesMax"/> more.
    /// </summary>
    public static void AddMemory(MemoryBudget budget, StreamOptions options) =>
        MessageAssembler.AddMemory(budget, options);

    /// <summary>
    /// The sender said over its authenticated connection what it had sent. A beacon that tells of much more than it can have sent since is
    /// not the sender's.
    /// </summary>
    public void OnSent(ulong sequence)
    {
        _sent = sequence;
        _sentNs = _core.NowNs;
    }

    /// <summary>Takes the frames of an opened data or repair packet, the position first.</summary>
    public ReceiveStatus OnFrames(ReadOnlySpan<byte> frames)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (StreamPosition.Peek(frames, out StreamPosition position) != DecodeStatus.Ok || position.Origin != Origin)
        {
            Counters.Malformed++;
            return ReceiveStatus.Malformed;
        }

        ulong sequence = position.Sequence;
        bool isNext = sequence == Contiguous + 1;
        if (!isNext && _window.IsReceived(sequence))
        {
            Counters.Duplicates++;
            return ReceiveStatus.Duplicate;
        }

        if (sequence > _window.Limit)
        {
            Counters.OutOfWindow++;
            _announced = Math.Max(_announced, sequence);
            FindGaps(Highest);
            return ReceiveStatus.OutOfWindow;
        }

        switch (Examine(frames, isNext))
        {
            case ReceiveStatus.Malformed:
                Counters.Malformed++;
                return ReceiveStatus.Malformed;
            case ReceiveStatus.NoRoom:
                Counters.NoRoom++;
                _announced = Math.Max(_announced, sequence);
                FindGaps(Highest);
                _gaps.Refuse(sequence);
                return ReceiveStatus.NoRoom;
        }

        Take(frames, sequence, isNext);
        return ReceiveStatus.Accepted;
    }

    /// <summary>
    /// Takes the payload of a beacon of this stream: learns of packets lost at the tail, and of packets that are no longer available.
    /// </summary>
    public ReceiveStatus OnBeacon(ReadOnlySpan<byte> payload)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (StreamBeacon.Read(payload, out StreamBeacon beacon) != DecodeStatus.Ok || beacon.Origin != Origin)
        {
            Counters.Malformed++;
            return ReceiveStatus.Malformed;
        }

        if (beacon.Highest > SentMax())
        {
            Counters.BeaconsRefused++;
            return ReceiveStatus.Malformed;
        }

        Counters.Beacons++;
        Floor = beacon.Floor;
        // The newest announcement counts, not the highest: the next true one corrects a false one.
        _announced = beacon.Highest;
        _gaps.DropAbove(Highest);
        if (beacon.FirstAvailable > Contiguous + 1)
        {
            SkipTo(beacon.FirstAvailable);
        }

        if (!_isDisposed)
        {
            OnAnnounced();
        }

        return ReceiveStatus.Accepted;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isDisposed = true;
        _core.Alarms.Cancel(_nakAlarm);
        _core.Alarms.Cancel(_tailAlarm);
        _assembler.Dispose();
    }

    private ReceiveStatus Examine(ReadOnlySpan<byte> frames, bool isNext)
    {
        var need = default(MessageAssembler.Need);
        bool isFirst = true;
        bool isCut = false;
        int offset = StreamPosition.FrameBytes;
        DecodeStatus status;
        while ((status = FrameReader.ReadHeader(frames, offset, out FrameType type, out int bytes)) == DecodeStatus.Ok
            && type != FrameType.Padding)
        {
            ReadOnlySpan<byte> payload = frames.Slice(offset + FrameReader.HeaderBytes, bytes);
            offset += FrameReader.HeaderBytes + bytes;
            if (type == FrameType.Position)
            {
                return ReceiveStatus.Malformed;
            }

            if (type != FrameType.Message)
            {
                continue;
            }

            if (MessagePart.Read(payload, out MessagePart part) != DecodeStatus.Ok || isCut || (part.Offset > 0 && !isFirst))
            {
                return ReceiveStatus.Malformed;
            }

            isFirst = false;
            isCut = part.End < part.Total;
            if (!part.IsWhole)
            {
                ReceiveStatus fits = _assembler.Examine(part, isNext, ref need);
                if (fits != ReceiveStatus.Accepted)
                {
                    return fits;
                }
            }
        }

        if (status != DecodeStatus.Ok)
        {
            return ReceiveStatus.Malformed;
        }

        return _assembler.HasRoom(need, isNext) ? ReceiveStatus.Accepted : ReceiveStatus.NoRoom;
    }

    /// <summary>Takes a packet that was examined.</summary>
    private void Take(ReadOnlySpan<byte> frames, ulong sequence, bool isNext)
    {
        ulong contiguousBefore = Contiguous;
        Mark(sequence, isNext);
        Counters.Packets++;
        int offset = StreamPosition.FrameBytes;
        while (!_isDisposed
            && FrameReader.ReadHeader(frames, offset, out FrameType type, out int bytes) == DecodeStatus.Ok
            && type != FrameType.Padding)
        {
            if (type == FrameType.Message)
            {
                Take(MessagePart.ReadSound(frames.Slice(offset + FrameReader.HeaderBytes, bytes)), sequence, isNext);
            }

            offset += FrameReader.HeaderBytes + bytes;
        }

        if (Contiguous > contiguousBefore && !_isDisposed)
        {
            if (!_gaps.IsEmpty && _gaps.TryHasten(_core.NowNs))
            {
                _core.Alarms.ScheduleNoLater(_nakAlarm, _gaps.NextDueNs);
            }

            Counters.MessagesAbandoned += _assembler.Sweep(Contiguous);
            _losses.OnReceived(Contiguous - contiguousBefore);
            _handler.OnProgress(Contiguous - contiguousBefore);
        }
    }

    private void Mark(ulong sequence, bool isNext)
    {
        if (isNext && sequence > _window.Highest && _gaps.Covered == sequence - 1)
        {
            // The next packet, and nothing missing before or after it: no request to make or to cancel.
            _window.Mark(sequence);
            _gaps.Cover(sequence);
            return;
        }

        _window.Mark(sequence);
        _gaps.Fill(sequence, _core.NowNs);
        FindGaps(_window.Highest);
    }

    private void Take(in MessagePart part, ulong sequence, bool isNext)
    {
        if (part.IsWhole)
        {
            Counters.Messages++;
            _handler.OnMessage(part.Topic, part.Bytes);
        }
        else if (_assembler.Take(part, sequence, isNext) is { } complete)
        {
            Counters.Messages++;
            _handler.OnMessage(complete.Topic, complete.Bytes);
            complete.End();
        }
    }

    private void SkipTo(ulong first)
    {
        ulong from = Contiguous + 1;
        _window.SkipTo(first);
        Counters.Skipped += (long)(first - from);
        Counters.MessagesAbandoned += _assembler.Sweep(Contiguous);
        _handler.OnSkipped(from, first - 1);
        if (!_isDisposed)
        {
            _handler.OnProgress(Contiguous - (from - 1));
        }
    }

    /// <summary>The sequence that the sender can have sent by now: a window, and as many as a stream can carry in the time.</summary>
    private ulong SentMax() => _sent + WindowPackets + (ulong)((_core.NowNs - _sentNs) / (1_000_000_000 / PacketsPerSecondMax));
}

/// <summary>
/// Takes the messages and events of one stream. Called on the core thread, from within the receiver's methods; may dispose of the receiver,
/// but must not pass packets to it.
/// </summary>
internal interface IStreamReceiverHandler
{
    /// <summary>
    /// A complete message, delivered once, in the order of completion: the order of releases follows from the release number.
    /// </summary>
    /// <param name="topic">The application's number.</param>
    /// <param name="message">Valid during the call only.</param>
    void OnMessage(uint topic, ReadOnlySpan<byte> message);

    /// <summary>
    /// The sender no longer has the packets missing between these sequences, both inclusive: their messages arrive by catch-up or not at
    /// all.
    /// </summary>
    void OnSkipped(ulong fromSequence, ulong toSequence);

    /// <summary><see cref="StreamReceiver.Contiguous"/> advanced. Called after the messages of the packet that advanced it.</summary>
    /// <param name="packets">By how many; at least 1.</param>
    void OnProgress(ulong packets);
}

/// <summary>What a receiver did with a packet or a beacon.</summary>
internal enum ReceiveStatus
{
    /// <summary>Taken.</summary>
    Accepted,

    /// <summary>Taken before.</summary>
    Duplicate,

    /// <summary>Too far ahead of the contiguous packets: not taken; requested when the window gets there.</summary>
    OutOfWindow,

    /// <summary>Its messages do not fit into the room for assembly now: not taken, and requested like a lost packet.</summary>
    NoRoom,

    /// <summary>A member sent a packet that it was not asked for; nothing of it was taken.</summary>
    Unasked,

    /// <summary>Not a valid packet or beacon of this stream; nothing of it was taken.</summary>
    Malformed,
}
