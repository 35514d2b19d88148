namespace Ripple.Engine.Core;

/// <summary>The waiting runs of one class, in arrival order.</summary>
internal sealed class PacketRing(int capacity)
{
    private readonly PacketRun[] _runs = new PacketRun[capacity];
    private int _head;

    public int Count { get; private set; }

    /// <summary>The number of packets in these runs.</summary>
    public int Packets { get; private set; }

    public bool IsFull => Count == _runs.Length;

    public void Push(in PacketRun run)
    {
        _runs[(_head + Count) % _runs.Length] = run;
        Count++;
        Packets += run.Packets;
    }

    /// <summary>Puts back the run popped last, without the packets already handled.</summary>
    public void PushFront(in PacketRun run)
    {
        _head = (_head + _runs.Length - 1) % _runs.Length;
        _runs[_head] = run;
        Count++;
        Packets += run.Packets;
    }

    public PacketRun Pop()
    {
        PacketRun run = _runs[_head];
        _runs[_head] = default;
        _head = (_head + 1) % _runs.Length;
        Count--;
        Packets -= run.Packets;
        return run;
    }
}
