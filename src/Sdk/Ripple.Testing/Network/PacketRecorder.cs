using Ripple.Engine.Core;

namespace Ripple.Testing.Network;

/// <summary>The datagrams that left ports most recently, for attackers who replay what they heard. Bounded: the oldest go.</summary>
internal sealed class PacketRecorder
{
    private readonly Entry[] _entries;
    private long _recorded;

    internal PacketRecorder(int capacity)
    {
        _entries = new Entry[capacity];
    }

    /// <summary>How many datagrams are kept.</summary>
    public int Count => (int)Math.Min(_recorded, _entries.Length);

    /// <summary>How many were recorded, with those that are gone.</summary>
    public long RecordedCount => _recorded;

    /// <summary>Where a kept datagram went. Index 0 is the oldest.</summary>
    public NodeAddress To(int index) => At(index).To;

    /// <summary>Where a kept datagram came from. Index 0 is the oldest.</summary>
    public NodeAddress From(int index) => At(index).From;

    /// <summary>The bytes of a kept datagram, until the next is recorded. Index 0 is the oldest.</summary>
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
