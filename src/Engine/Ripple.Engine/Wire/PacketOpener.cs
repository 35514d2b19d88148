using System.Diagnostics.CodeAnalysis;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Wire;

/// <summary>
/// Opens packets of one region, the counterpart of <see cref="IPacketSealer"/>. Holds the newest key, the previous one for
/// <see cref="OldKeyNs"/>, and a replay window for each member and class. Owns its keys. Opening proves only that a member sealed the
/// packet: data is verified against a signed header before it takes effect. Core thread. Opening allocates nothing but a member's first
/// window of a class (about 370 bytes, at most eight per slot; slots are bounded by the view).
/// </summary>
internal sealed class PacketOpener : IDisposable
{
    /// <summary>How long an old key is accepted after a new one was added, in nanoseconds.</summary>
    public const long OldKeyNs = 2_000_000_000;

    private readonly ulong _regionId;
    private readonly Dictionary<uint, SlotReplay> _slots = [];
    private readonly SharedPackets? _shared;
    private readonly long[] _counts = new long[(int)OpenStatus.Forged + 1];
    private RegionKey _key;
    private RegionKey? _oldKey;
    private long _oldKeyUntilNs;
    private SlotReplay? _lastReplay;
    private uint _lastSlot;

    /// <summary>Makes an opener with its first key.</summary>
    /// <param name="regionId">The region.</param>
    /// <param name="key">The key; owned from now on.</param>
    /// <param name="shared">The host's packets that other nodes of the core have opened; null to share none.</param>
    public PacketOpener(ulong regionId, RegionKey key, SharedPackets? shared = null)
    {
        _regionId = regionId;
        _key = key;
        _shared = shared;
    }

    /// <summary>Adds the memory that an opener holds for each member: replay windows of two keys and every class.</summary>
    public static void AddMemory(MemoryBudget budget)
    {
        const string Name = "region: replay windows of a member";
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, Name, SlotReplay.WindowsMax, ReplayWindow.Bytes);
    }

    /// <summary>
    /// Called when the genuine packets of a slot have been refused for some seconds under the newest key, at most once in
    /// <see cref="RefusedRun.DeafNs"/> for each of its classes. Only another key helps.
    /// </summary>
    public Action<uint>? OnDeaf { get; set; }

    /// <summary>How many packets ended with this status.</summary>
    public long CountOf(OpenStatus status) => _counts[(int)status];

    /// <summary>
    /// Accepts packets of this slot from now on, under the current key and later ones but not under the previous one. So after a key
    /// change, add the key first and then the new slots. Does nothing when the slot is already allowed.
    /// </summary>
    public void AllowSlot(uint slot) => _slots.TryAdd(slot, new SlotReplay(_key.Epoch));

    /// <summary>
    /// Accepts no more packets of this slot, under the old key either, and drops its replay windows. Allowing it again under the same key
    /// would permit replays: a slot is never assigned twice within a key epoch.
    /// </summary>
    public void RemoveSlot(uint slot)
    {
        _slots.Remove(slot);
        if (slot == _lastSlot)
        {
            _lastReplay = null;
        }
    }

    /// <summary>
    /// Switches to a newer key; the current one becomes the old one, and its sealer must be replaced at the same time. False when the epoch
    /// is not above the current one: nothing changes, and the key is disposed of. New replay windows under a key seen before would accept
    /// every packet a second time.
    /// </summary>
    public bool TryAddKey(RegionKey key, long nowNs)
    {
        if (key.Epoch <= _key.Epoch)
        {
            key.Dispose();
            return false;
        }

        _oldKey?.Dispose();
        _oldKey = _key;
        _oldKeyUntilNs = nowNs + OldKeyNs;
        _key = key;
        return true;
    }

    /// <summary>
    /// Opens a datagram that holds one packet. Never throws, whatever the bytes, and counts every result. The bytes of the datagram are
    /// unusable afterwards.
    /// </summary>
    /// <param name="datagram">One packet.</param>
    /// <param name="nowNs">The core's time.</param>
    /// <param name="header">The clear header; authentic only when Ok.</param>
    /// <param name="frames">The frames, valid until the next packet is opened; empty unless Ok.</param>
    public OpenStatus TryOpen(Span<byte> datagram, long nowNs, out PacketHeader header, out ReadOnlySpan<byte> frames)
    {
        OpenStatus status = Open(datagram, nowNs, out header, out frames);
        _counts[(int)status]++;
        return status;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _key.Dispose();
        _oldKey?.Dispose();
    }

    private OpenStatus Open(Span<byte> datagram, long nowNs, out PacketHeader header, out ReadOnlySpan<byte> frames)
    {
        frames = default;
        if (PacketHeader.TryRead(datagram, out header) != PacketHeaderStatus.Ok)
        {
            return OpenStatus.BadHeader;
        }

        if (header.RegionId != _regionId)
        {
            return OpenStatus.WrongRegion;
        }

        bool isOld = header.KeyEpoch != _key.Epoch;
        if (isOld && header.KeyEpoch != _oldKey?.Epoch)
        {
            return OpenStatus.UnknownKey;
        }

        if (isOld && nowNs >= _oldKeyUntilNs)
        {
            return OpenStatus.ExpiredKey;
        }

        if (!TryFind(header.Slot, out SlotReplay? replay) || header.KeyEpoch < replay.AllowedFromEpoch)
        {
            return OpenStatus.UnknownSlot;
        }

        RegionKey key = isOld ? _oldKey! : _key;
        if (!replay.IsFresh(header))
        {
            if (!isOld && replay.MustProve(header, nowNs) && key.TryOpen(header, datagram) && replay.IsDeafAfter(header, nowNs))
            {
                OnDeaf?.Invoke(header.Slot);
            }

            return OpenStatus.Replay;
        }

        // Only the host, in slot 0, sends the same packet to many members.
        ReadOnlySpan<byte> opened = datagram[PacketHeader.Size..^PacketHeader.TagSize];
        bool isOpened = _shared is not null && header.Slot == 0
            ? _shared.TryOpen(key, header, datagram, out opened)
            : key.TryOpen(header, datagram);
        if (!isOpened)
        {
            return OpenStatus.Forged;
        }

        replay.Mark(header);
        frames = opened;
        return OpenStatus.Ok;
    }

    /// <summary>Consecutive packets mostly come from one sealer, usually the host: the last slot found is checked first.</summary>
    private bool TryFind(uint slot, [NotNullWhen(true)] out SlotReplay? replay)
    {
        if (slot == _lastSlot && _lastReplay is not null)
        {
            replay = _lastReplay;
            return true;
        }

        if (!_slots.TryGetValue(slot, out replay))
        {
            return false;
        }

        _lastSlot = slot;
        _lastReplay = replay;
        return true;
    }
}

/// <summary>The result of opening a packet.</summary>
internal enum OpenStatus
{
    /// <summary>A member of the region sealed it, and it was not seen before.</summary>
    Ok,

    /// <summary>Not a packet of this version.</summary>
    BadHeader,

    /// <summary>A packet of another region.</summary>
    WrongRegion,

    /// <summary>Sealed under a key that the opener does not have.</summary>
    UnknownKey,

    /// <summary>Sealed under a key that is no longer accepted.</summary>
    ExpiredKey,

    /// <summary>Its slot is not in the view, or must not use the key.</summary>
    UnknownSlot,

    /// <summary>Seen before, or too old to tell.</summary>
    Replay,

    /// <summary>Not sealed with the key it names.</summary>
    Forged,
}
