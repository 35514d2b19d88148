using System.Buffers.Binary;
using System.Security.Cryptography;
using Ripple.Engine.Core;
using Ripple.Engine.Interest;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;
using Ripple.Engine.Streams;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Regions;

/// <summary>
/// Which members of a region are reached at the addresses that they named. A member is sent nothing but probes until it has told over its
/// control connection the nonces that were sent to its data address: first in a small packet, since an address is a claim and whoever is
/// named there may be anybody, then in one of full size, which the stream's packets are. Until then catch-up brings it what is released.
/// Core thread.
/// </summary>
internal sealed class MemberPaths : IDisposable
{
    /// <summary>Probes of one size that follow each other closely, at doubling distances, before the member is told of.</summary>
    public const int ProbesMax = 10;

    /// <summary>
    /// The distance of the second probe from the first, which leaves with the answer to the join: a member keeps what comes before the key.
    /// </summary>
    private const long FirstNs = 10_000_000;

    /// <summary>The longest distance between those probes.</summary>
    private const long DistanceNsMax = 1_000_000_000;

    /// <summary>The distance of later ones: somebody may open the way.</summary>
    private const long LaterNs = 60_000_000_000;

    /// <summary>Approximate size of a node of a sorted set or dictionary, with its item.</summary>
    private const int TreeNodeBytes = 112;

    private readonly CoreLoop _core;
    private readonly GmsCounters _counters;
    private readonly GmsEvents _events;
    private readonly RegionOutput _output;
    private readonly Action<RegionMember, ulong> _onReached;
    private readonly RegionIdentity _region;
    private readonly byte[] _secret;
    private readonly byte[] _frames;
    private readonly SortedSet<uint> _reached = [];
    private readonly SortedDictionary<uint, Probing> _unreached = [];
    private readonly List<uint> _due = [];
    private readonly Alarm _alarm;

    /// <param name="services">Services shared by the host's regions.</param>
    /// <param name="region">The region.</param>
    /// <param name="output">Sends the probes, and is told who is reached.</param>
    /// <param name="onReached">Called when a member is reached, with the first sequence of the stream that it is owed.</param>
    public MemberPaths(RegionServices services, RegionIdentity region, RegionOutput output, Action<RegionMember, ulong> onReached)
    {
        _onReached = onReached;
        _core = services.Context.Core;
        _counters = services.Counters;
        _events = services.Events;
        _region = region;
        _output = output;
        _frames = new byte[output.FramesBytesMax];
        _secret = services.Keys.NewRegionKey();
        _alarm = new Alarm(OnDue);
        _output.SetReached(_reached);
    }

    /// <summary>Adds the memory of a member that is reached, or not yet; and a region's probe.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "region: who is reached at its address", 1, TreeNodeBytes);
        budget.Add(MemoryScope.Region, MemoryKind.Retained, "region: the probe of an address", 1, WireLimits.FramesBytesMax);
    }

    /// <summary>How many members are not reached yet.</summary>
    public int UnreachedCount => _unreached.Count;

    /// <summary>True once the member has shown that it is reached.</summary>
    public bool IsReached(uint slot) => _reached.Contains(slot);

    /// <summary>A member was admitted. It may have been closed since.</summary>
    /// <param name="member">The member.</param>
    /// <param name="firstSequence">The first sequence of the stream that it is owed.</param>
    public void Add(IRegionMember member, ulong firstSequence)
    {
        if (member.Place is { } place)
        {
            _unreached[place.Slot] = new Probing(member, firstSequence) { DueNs = _core.NowNs };
            _core.Alarms.ScheduleNoLater(_alarm, _core.NowNs);
        }
    }

    public void Remove(uint slot)
    {
        _unreached.Remove(slot);
        if (_reached.Remove(slot))
        {
            _output.SetReached(_reached);
        }
    }

    /// <summary>A member says what reached it.</summary>
    public void OnAnswer(IRegionMember member, PathAnswer answer)
    {
        if (answer.RegionId != _region.RegionId || member.Place is not { } place || _reached.Contains(place.Slot))
        {
            return;
        }

        (ulong High, ulong Low) nonce = (answer.NonceHigh, answer.NonceLow);
        if (nonce == NonceOf(place, isFull: true))
        {
            _unreached.Remove(place.Slot, out Probing? probing);
            _reached.Add(place.Slot);
            _output.SetReached(_reached);
            _onReached(place, probing!.FirstSequence);
        }
        else if (nonce == NonceOf(place, isFull: false))
        {
            if (_unreached.TryGetValue(place.Slot, out Probing? half) && !half.IsFull)
            {
                half.IsFull = true;
                half.Sent = 0;
                Probe(half);
                _core.Alarms.ScheduleNoLater(_alarm, half.DueNs);
            }
        }
        else
        {
            _counters.PathAnswersRefused++;
        }
    }

    public void Dispose() => _core.Alarms.Cancel(_alarm);

    private void OnDue()
    {
        long nowNs = _core.NowNs;
        foreach ((uint slot, Probing probing) in _unreached)
        {
            if (probing.DueNs <= nowNs)
            {
                _due.Add(slot);
            }
        }

        foreach (uint slot in _due)
        {
            Probe(_unreached[slot]);
        }

        _due.Clear();
        long nextNs = long.MaxValue;
        foreach (Probing probing in _unreached.Values)
        {
            nextNs = Math.Min(nextNs, probing.DueNs);
        }

        if (nextNs < long.MaxValue)
        {
            _core.Alarms.ScheduleNoLater(_alarm, nextNs);
        }
    }

    private void Probe(Probing probing)
    {
        if (probing.Member.Place is not { } place)
        {
            _unreached.Remove(probing.Slot);
            return;
        }

        (ulong high, ulong low) = NonceOf(place, probing.IsFull);
        var writer = new WireWriter(_frames);
        int start = FrameWriter.Begin(ref writer, FrameType.PathProbe);
        writer.WriteU64(high);
        writer.WriteU64(low);
        if (probing.IsFull)
        {
            // A path that passes it passes the stream.
            writer.Take(_frames.Length - writer.Position);
        }

        FrameWriter.End(ref writer, start);
        _output.TrySend(place.DataAddress, PacketClass.Repair, writer.Written);
        _counters.PathProbes++;
        probing.Sent++;
        bool isLate = probing.Sent >= ProbesMax;
        probing.DueNs = _core.NowNs + (isLate ? LaterNs : Math.Min(FirstNs << (probing.Sent - 1), DistanceNsMax));
        if (probing.Sent == ProbesMax)
        {
            _counters.PathsUnreached++;
            _events.Post(
                GmsEventKind.Unreached,
                probing.Member.Name,
                (probing.IsFull
                    ? $"small packets reach it at {place.DataAddress}, and datagrams of {_output.DatagramBytes} bytes do not: see to the "
                        + "size of packets on the path (a tunnel or overlay network takes some bytes of each)"
                        + (_output.DatagramBytes == WireLimits.DatagramBytesMin ? string.Empty
                            : $", or start the host with less for its zone, --datagram-bytes {_region.Zone}={WireLimits.DatagramBytesMin} "
                                + "or as many as the path takes")
                    : $"no packet reaches it at {place.DataAddress}: see to firewalls for UDP, and to the address that the node names")
                    + ". Everything comes to it by catch-up, over its control connection");
        }
    }

    /// <summary>What only who sees the packets to this address of this member knows. No two lives of a node have the same.</summary>
    private (ulong High, ulong Low) NonceOf(RegionMember place, bool isFull)
    {
        Span<byte> about = stackalloc byte[sizeof(uint) + (3 * sizeof(ulong)) + sizeof(ushort) + 1];
        about[^1] = isFull ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt32LittleEndian(about, place.Slot);
        BinaryPrimitives.WriteUInt64LittleEndian(about[4..], place.Incarnation);
        BinaryPrimitives.WriteUInt64LittleEndian(about[12..], place.DataAddress.High);
        BinaryPrimitives.WriteUInt64LittleEndian(about[20..], place.DataAddress.Low);
        BinaryPrimitives.WriteUInt16LittleEndian(about[28..], place.DataAddress.Port);
        Span<byte> nonce = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_secret, about, nonce);
        return (BinaryPrimitives.ReadUInt64LittleEndian(nonce), BinaryPrimitives.ReadUInt64LittleEndian(nonce[8..]));
    }

    private sealed class Probing(IRegionMember member, ulong firstSequence)
    {
        public IRegionMember Member { get; } = member;

        public uint Slot { get; } = member.Place!.Slot;

        public ulong FirstSequence { get; } = firstSequence;

        /// <summary>True once small packets reach it: the probes are of full size.</summary>
        public bool IsFull { get; set; }

        public int Sent { get; set; }

        public long DueNs { get; set; }
    }
}
