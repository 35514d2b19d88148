using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Ripple.Engine.Wire;

/// <summary>
/// Opens packets of one region: the newest key, the one before it for <see cref="OldKeyNs"/>, and a replay window for each member and class. Owns its keys.
/// Core thread; opening allocates nothing but a member's first window of a class.
/// </summary>
public sealed class PacketOpener : IDisposable
{
    /// <summary>How long an old key is accepted after a new one came, in nanoseconds.</summary>
    public const long OldKeyNs = 2_000_000_000;

    private readonly ulong _regionId;
    private readonly SortedDictionary<uint, ReplayWindow?[]> _windows = [];
    private readonly SortedDictionary<uint, ReplayWindow?[]> _oldWindows = [];
    private readonly long[] _refused = new long[Enum.GetValues<OpenStatus>().Length];
    private RegionKey _key;
    private RegionKey? _oldKey;
    private long _oldKeyUntilNs;

    /// <summary>Makes an opener with its first key.</summary>
    public PacketOpener(ulong regionId, RegionKey key)
    {
        _regionId = regionId;
        _key = key;
    }

    /// <summary>How many packets ended with this status.</summary>
    public long CountOf(OpenStatus status) => _refused[(int)status];

    /// <summary>Takes packets of this slot from now on.</summary>
    public void AllowSlot(uint slot)
    {
        _windows.TryAdd(slot, new ReplayWindow?[4]);
        _oldWindows.TryAdd(slot, new ReplayWindow?[4]);
    }

    /// <summary>Takes no more packets of this slot, under the old key either.</summary>
    public void RemoveSlot(uint slot)
    {
        _windows.Remove(slot);
        _oldWindows.Remove(slot);
    }

    /// <summary>Goes to a new key; the present one becomes the old one. The same epoch again changes nothing.</summary>
    public void AddKey(RegionKey key, long nowNs)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (key.Epoch == _key.Epoch)
        {
            key.Dispose();
            return;
        }

        _oldKey?.Dispose();
        _oldKey = _key;
        _oldKeyUntilNs = nowNs + OldKeyNs;
        _key = key;
        foreach ((uint slot, ReplayWindow?[] windows) in _windows)
        {
            ReplayWindow?[] old = _oldWindows[slot];
            windows.CopyTo(old, 0);
            Array.Clear(windows);
        }
    }

    /// <summary>Opens a datagram in place. <paramref name="frames"/> is a part of it, and counts only when the status is <see cref="OpenStatus.Ok"/>.</summary>
    public OpenStatus TryOpen(Span<byte> datagram, long nowNs, out PacketHeader header, out ReadOnlySpan<byte> frames)
    {
        OpenStatus status = Open(datagram, nowNs, out header, out frames);
        _refused[(int)status]++;
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

        if (isOld && nowNs > _oldKeyUntilNs)
        {
            return OpenStatus.ExpiredKey;
        }

        if (!(isOld ? _oldWindows : _windows).TryGetValue(header.Slot, out ReplayWindow?[]? windows))
        {
            return OpenStatus.UnknownSlot;
        }

        ReplayWindow window = windows[(int)header.Class] ??= new ReplayWindow();
        if (!window.IsFresh(header.Number))
        {
            return OpenStatus.Replay;
        }

        Span<byte> nonce = stackalloc byte[12];
        BinaryPrimitives.WriteUInt32BigEndian(nonce, header.Slot);
        BinaryPrimitives.WriteUInt64BigEndian(nonce[4..], header.Counter);
        Span<byte> body = datagram[PacketHeader.Size..^PacketHeader.TagSize];
        try
        {
            (isOld ? _oldKey! : _key).Cipher.Decrypt(nonce, body, datagram[^PacketHeader.TagSize..], body, datagram[..PacketHeader.Size]);
        }
        catch (AuthenticationTagMismatchException)
        {
            return OpenStatus.Forged;
        }

        window.Mark(header.Number);
        frames = body;
        return OpenStatus.Ok;
    }
}
