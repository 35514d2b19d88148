namespace Ripple.Engine.Nodes;

/// <summary>
/// Datagrams received before the node knows its region's key: held in bounded memory, and opened once it does. Datagrams that do not fit
/// are repaired like any loss.
/// </summary>
internal sealed class PendingDatagrams
{
    private const int CountMax = 256;
    private readonly List<byte[]> _held = [];

    public int Count => _held.Count;

    public void Hold(ReadOnlySpan<byte> datagram)
    {
        if (_held.Count < CountMax)
        {
            _held.Add(datagram.ToArray());
        }
    }

    public byte[][] TakeAll()
    {
        byte[][] all = [.. _held];
        _held.Clear();
        return all;
    }
}
