using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;
using Ripple.Engine.Stack;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// The output of one region on one node: takes frames, and passes datagrams sealed under the region's key to the sinks of the two sockets.
/// A packet for many members is made once and sealed once. The stream goes to the region's multicast group if there is one, and by unicast
/// to each member that does not hear it; everything else is unicast. Core thread.
/// </summary>
internal sealed class RegionOutput : IFrameSender, IDisposable
{
    /// <summary>The most small packets queued per class.</summary>
    public const int SendsMax = 256;

    /// <summary>The most bytes of frames queued per class. Allocated with the first packet of the class.</summary>
    public const int SendsBytesMax = 16 * 1_024;

    private readonly CoreLoop _core;
    private readonly IDatagramSink _dataSink;
    private readonly IDatagramSink _controlSink;
    private readonly List<OutputFeed> _feeds = [];
    private readonly UnicastQueue?[] _sends = new UnicastQueue?[PacketLayout.ClassCount];
    private readonly RegionDestinations _destinations = new();
    private bool _isDisposed;

    /// <summary>Makes the output; nothing is sent before <see cref="SetSealer"/>. Does not own the sinks.</summary>
    /// <param name="core">The core all calls are made on.</param>
    /// <param name="dataSink">The socket of data and repairs.</param>
    /// <param name="controlSink">The socket of control packets and requests for repair.</param>
    /// <param name="datagramBytes">
    /// The most bytes of a datagram, the same for all members of the region: <see cref="WireLimits.DatagramBytesMin"/> to
    /// <see cref="WireLimits.DatagramBytesMax"/>, the default.
    /// </param>
    public RegionOutput(
        CoreLoop core, IDatagramSink dataSink, IDatagramSink controlSink, int datagramBytes = WireLimits.DatagramBytesMax)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(datagramBytes, WireLimits.DatagramBytesMin);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(datagramBytes, WireLimits.DatagramBytesMax);
        _core = core;
        _dataSink = dataSink;
        _controlSink = controlSink;
        DatagramBytes = datagramBytes;
    }

    /// <summary>Adds the memory that the output of one region holds.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        int trainBytes = (WireLimits.TrainPacketsMax * WireLimits.DatagramBytesMax) + MemoryBudget.ArrayBytes;
        budget.Add(MemoryScope.Region, MemoryKind.Retained, "region: a train that is made", 1, trainBytes);
        UnicastQueue.AddMemory(budget, PacketLayout.ClassCount, SendsMax, SendsBytesMax);
        budget.Add<NodeAddress>(MemoryScope.Connection, MemoryKind.Retained, "region: a member's two addresses", 2);
    }

    /// <summary>The most bytes of a datagram of this region.</summary>
    public int DatagramBytes { get; }

    /// <inheritdoc/>
    public int FramesBytesMax => DatagramBytes - PacketHeader.Size - PacketHeader.TagSize;

    /// <summary>What was sent so far.</summary>
    public RegionOutputCounters Counters { get; } = new();

    internal IPacketSealer? Sealer { get; private set; }

    /// <summary>Where the stream goes: the group, and each member that does not hear it.</summary>
    internal NodeAddress[] DataTargets => _destinations.Data;

    internal NodeAddress[] ControlTargets => _destinations.Control;

    /// <summary>True if there are members, whether they are reached or not.</summary>
    internal bool HasMembers => !_destinations.IsEmpty;

    /// <summary>Sets the sealer of all packets from the next one on. Null while not joined: no feed is pulled until there is one.</summary>
    public void SetSealer(IPacketSealer? sealer)
    {
        Sealer = sealer;
        ResumeWaiting();
    }

    /// <summary>Sets the members of a view as those that get the stream and the broadcasts.</summary>
    public void SetDestinations(RegionView view) => SetDestinations(view.Members);

    /// <summary>
    /// Sets the members that get the stream and the broadcasts, in this order, from the next packet on. A packet that was already sent to
    /// some members still goes to all destinations it was made for.
    /// </summary>
    /// <param name="members">The members; not modified afterwards.</param>
    public void SetDestinations(IReadOnlyList<RegionMember> members)
    {
        _destinations.SetMembers(members);
        ResumeWaiting();
    }

    /// <summary>
    /// Sets the multicast group through which all members receive the stream, from the next packet on. With the default address there is
    /// none, and each member is sent its own copy. Repairs and control packets are unicast in either case.
    /// </summary>
    public void SetGroup(in NodeAddress group) => SetGroup(group, null);

    /// <summary>
    /// Sets the multicast group through which some members receive the stream, from the next packet on; the others are sent their own copy.
    /// </summary>
    /// <param name="group">The group; the default address for none.</param>
    /// <param name="hearing">The slots of the members that hear it; null when all do. Call again after a change to the set.</param>
    public void SetGroup(in NodeAddress group, IReadOnlySet<uint>? hearing)
    {
        _destinations.SetGroup(group, hearing);
        ResumeWaiting();
    }

    /// <summary>
    /// Sets the members that are known to be reached at their addresses; the others are sent nothing but what <see cref="TrySend"/> is
    /// asked to. Call again after a change to the set.
    /// </summary>
    /// <param name="reached">Their slots; null when all are.</param>
    public void SetReached(IReadOnlySet<uint>? reached)
    {
        _destinations.SetReached(reached);
        ResumeWaiting();
    }

    /// <summary>
    /// Registers the intent of a stream to send data to all members. Pulled once per packet, only while there is a key and a destination,
    /// and not until short trains have gathered.
    /// </summary>
    public void RegisterStream(IFrameFeed feed) =>
        (Find(feed) ?? Add(new FanOutFeed(_core, this, _dataSink, PacketClass.Data, feed))).Register();

    /// <summary>Registers the intent to send a control packet, such as a beacon, to all members.</summary>
    public void RegisterBroadcast(IFrameFeed feed) =>
        (Find(feed) ?? Add(new FanOutFeed(_core, this, _controlSink, PacketClass.Control, feed))).Register();

    /// <summary>Registers the intent to send repairs, each to one member.</summary>
    public void RegisterRepairs(IUnicastFrameFeed feed) =>
        (Find(feed) ?? Add(new UnicastFeed(this, _dataSink, PacketClass.Repair, feed))).Register();

    /// <summary>Removes a feed that is being disposed of, and its packet that is still being sent.</summary>
    public void Unregister(object feed)
    {
        if (Find(feed) is { } own)
        {
            own.Close();
            _feeds.Remove(own);
        }
    }

    /// <summary>True while a train of this stream has been sent to some destinations but not yet to all.</summary>
    public bool IsInFlight(IFrameFeed feed) => Find(feed) is FanOutFeed { IsInFlight: true };

    /// <summary>
    /// Queues a copy of the frames of one packet for one destination; sealed when sent. Control packets and requests for repair go through
    /// the control socket, the other classes through the data socket. False when <see cref="SendsMax"/> packets or
    /// <see cref="SendsBytesMax"/> bytes of the class are queued, or while there is no key.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The frames do not fit one packet.</exception>
    public bool TrySend(in NodeAddress to, PacketClass packetClass, ReadOnlySpan<byte> frames)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(frames.Length, FramesBytesMax, nameof(frames));
        if (_isDisposed || Sealer is null)
        {
            Counters.SendsRefused++;
            return false;
        }

        UnicastQueue queue = _sends[(int)packetClass] ??= new UnicastQueue(SendsMax, SendsBytesMax);
        if (!queue.TryAdd(to, frames))
        {
            Counters.SendsRefused++;
            return false;
        }

        IDatagramSink sink = packetClass <= PacketClass.Nak ? _controlSink : _dataSink;
        (Find(queue) ?? Add(new UnicastFeed(this, sink, packetClass, queue))).Register();
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _isDisposed = true;
        Sealer = null;
        foreach (OutputFeed feed in _feeds)
        {
            feed.Close();
        }

        _feeds.Clear();
    }

    /// <summary>Seals the frames that a feed wrote behind the header; 0 when the key is used up.</summary>
    internal int Seal(Span<byte> datagram, int framesBytes, PacketClass packetClass)
    {
        int length = Sealer!.Seal(datagram, framesBytes, packetClass);
        if (length == 0)
        {
            Counters.SealsRefused++;
            Sealer = null;
            return 0;
        }

        Counters.PacketsSealed++;
        return length;
    }

    // A node has a handful of feeds per region: a scan is cheaper than a table.
    private OutputFeed? Find(object feed)
    {
        foreach (OutputFeed own in _feeds)
        {
            if (ReferenceEquals(own.Source, feed))
            {
                return own;
            }
        }

        return null;
    }

    private OutputFeed Add(OutputFeed feed)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        _feeds.Add(feed);
        return feed;
    }

    private void ResumeWaiting()
    {
        foreach (OutputFeed feed in _feeds)
        {
            feed.Resume();
        }
    }
}

/// <summary>Counts what a node sent for one region. Written on the core thread; other threads may read each value on its own.</summary>
internal sealed class RegionOutputCounters
{
    /// <summary>Packets sealed; a packet to many destinations counts once.</summary>
    public long PacketsSealed { get; internal set; }

    /// <summary>Datagrams handed to the sinks.</summary>
    public long Datagrams { get; internal set; }

    /// <summary>Bytes of those datagrams.</summary>
    public long Bytes { get; internal set; }

    /// <summary>Packets the sealer refused because the key is used up; nothing is sent until there is another.</summary>
    public long SealsRefused { get; internal set; }

    /// <summary>Small packets not queued because there was no room or no key.</summary>
    public long SendsRefused { get; internal set; }
}
