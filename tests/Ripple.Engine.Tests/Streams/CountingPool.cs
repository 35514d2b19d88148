using System.Buffers;

namespace Ripple.Engine.Tests.Streams;

/// <summary>Counts what is out, and refuses what it did not give.</summary>
internal sealed class CountingPool : ArrayPool<byte>
{
    private readonly HashSet<byte[]> _out = [];

    public int Outstanding => _out.Count;

    public override byte[] Rent(int minimumLength)
    {
        var array = new byte[minimumLength];
        _out.Add(array);
        return array;
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        if (!_out.Remove(array))
        {
            throw new InvalidOperationException("Returned twice, or not from here.");
        }

        array.AsSpan().Fill(0xDB);
    }
}
