using System.Buffers.Binary;

namespace Ripple.Engine.Tests.Protocol;

/// <summary>
/// Makes hostile inputs out of valid ones, cheaply and the same for one seed: noise, truncations, flipped bits, bytes too many, and lengths
/// and counts that lie.
/// </summary>
internal sealed class FuzzBytes(ulong seed, IReadOnlyList<byte[]> valid)
{
    private const int NoiseBytesMax = 160;
    private readonly byte[] _buffer = new byte[valid.Max(v => v.Length) + NoiseBytesMax];
    private ulong _state = (seed * 0x9E37_79B9_7F4A_7C15) | 1;

    /// <summary>The next input, good until the call after.</summary>
    public ReadOnlySpan<byte> Next()
    {
        ulong chance = Draw();
        byte[] sample = valid[(int)(chance % (uint)valid.Count)];
        sample.CopyTo(_buffer, 0);
        int length = sample.Length;
        switch ((chance >> 32) % 5)
        {
            case 0:
                length = Below(NoiseBytesMax);
                Noise(0, length);
                break;
            case 1:
                length = Below(length + 1);
                break;
            case 2:
                int more = 1 + Below(NoiseBytesMax);
                Noise(length, more);
                length += more;
                break;
            case 3:
                for (int flips = 1 + Below(4); flips > 0 && length > 0; flips--)
                {
                    _buffer[Below(length)] ^= (byte)(1 << Below(8));
                }

                break;
            default:
                Lie(length);
                break;
        }

        return _buffer.AsSpan(0, length);
    }

    private void Lie(int length)
    {
        uint value = Below(3) switch
        {
            0 => uint.MaxValue,
            1 => (uint)Below(70_000),
            _ => int.MaxValue,
        };
        if (length >= 4 && Below(2) == 0)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(_buffer.AsSpan(Below(length - 3)), value);
        }
        else if (length >= 2)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(_buffer.AsSpan(Below(length - 1)), (ushort)value);
        }
    }

    private void Noise(int from, int count)
    {
        for (int i = 0; i < count; i += 8)
        {
            ulong chance = Draw();
            for (int j = i; j < Math.Min(i + 8, count); j++, chance >>= 8)
            {
                _buffer[from + j] = (byte)chance;
            }
        }
    }

    private int Below(int count) => count <= 0 ? 0 : (int)((Draw() >> 33) % (uint)count);

    /// <summary>xorshift64*: quick, and no worse than needed.</summary>
    private ulong Draw()
    {
        _state ^= _state >> 12;
        _state ^= _state << 25;
        _state ^= _state >> 27;
        return _state * 0x2545_F491_4F6C_DD1D;
    }
}
