namespace Ripple.Engine.Nodes;

/// <summary>
/// Datagrams that came before the node knew its region's key: kept in bounded memory, opened once it does. What does not fit is repaired
/// like any loss.
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
