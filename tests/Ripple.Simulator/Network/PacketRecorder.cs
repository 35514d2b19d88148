using Ripple.Engine.Core;

namespace Ripple.Simulator.Network;

/// <summary>The most recent datagrams sent from ports, for attackers that replay them. Bounded: the oldest are overwritten.</summary>
internal sealed class PacketRecorder
{
    private readonly Entry[] _entries;
    private long _recorded;

    internal PacketRecorder(int capacity)
    {
        _entries = new Entry[capacity];
    }

    /// <summary>The number of datagrams kept.</summary>
    public int Count => (int)Math.Min(_recorded, _entries.Length);

    /// <summary>The number of datagrams recorded, including those overwritten.</summary>
    public long RecordedCount => _recorded;

    /// <summary>The destination of a kept datagram. Index 0 is the oldest.</summary>
    public NodeAddress To(int index) => At(index).To;

    /// <summary>The source of a kept datagram. Index 0 is the oldest.</summary>
    public NodeAddress From(int index) => At(index).From;

    /// <summary>The bytes of a kept datagram, valid until the next one is recorded. Index 0 is the oldest.</summary>
    public ReadOnlySpan<byte> Bytes(int index) => At(index) is var entry ? entry.Bytes.AsSpan(0, entry.Length) : default;

    internal void Record(NodeAddress from, NodeAddress to, ReadOnlySpan<byte> datagram)
    {
        ref Entry entry = ref _entries[_recorded++ % _entries.Length];
        byte[] bytes = entry.Bytes is { } kept && kept.Length >= datagram.Length ? kept : new byte[datagram.Length];
        datagram.CopyTo(bytes);
        entry = new Entry(from, to, bytes, datagram.Length);
    }

    private Entry At(int index)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
        return _entries[(_recorded - Count + index) % _entries.Length];
    }

    private readonly record struct Entry(NodeAddress From, NodeAddress To, byte[] Bytes, int Length);
}
