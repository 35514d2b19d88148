namespace Ripple.Engine.Core;

/// <summary>The runs of one class that wait, in the order they came.</summary>
internal sealed class PacketRing(int capacity)
{
    private readonly PacketRun[] _runs = new PacketRun[capacity];
    private int _head;

    public int Count { get; private set; }

    /// <summary>How many packets are in them.</summary>
    public int Packets { get; private set; }

    public bool IsFull => Count == _runs.Length;

    public void Push(in PacketRun run)
    {
        _runs[(_head + Count) % _runs.Length] = run;
        Count++;
        Packets += run.Packets;
    }

    /// <summary>Puts back what was popped last, less what was handled of it.</summary>
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
