using System.Diagnostics;
using System.Numerics;

namespace Ripple.Load.Fanout;

/// <summary>Counts of times in classes of 1.6 % width, in fixed memory. Written by one thread.</summary>
internal sealed class LatencyHistogram
{
    private const int SubBits = 6;
    private const int SubCount = 1 << SubBits;
    private readonly long[] _counts = new long[(64 - SubBits) * SubCount];

    public void Add(long ticks) => _counts[IndexOf((ulong)Math.Max(0, ticks))]++;

    public void Clear() => Array.Clear(_counts);

    public void AddTo(LatencyHistogram other)
    {
        for (int i = 0; i < _counts.Length; i++)
        {
            other._counts[i] += _counts[i];
        }
    }

    /// <summary>By nearest rank, the middle of the class, in microseconds; 0 of nothing.</summary>
    public double PercentileUs(double percent)
    {
        long rank = Math.Max(1, (long)Math.Ceiling(percent / 100 * _counts.Sum()));
        for (int i = 0; i < _counts.Length; i++)
        {
            rank -= _counts[i];
            if (rank <= 0)
            {
                return (LowOf(i) + LowOf(i + 1)) / 2.0 * 1e6 / Stopwatch.Frequency;
            }
        }

        return 0;
    }

    private static int IndexOf(ulong value)
    {
        if (value < SubCount)
        {
            return (int)value;
        }

        int shift = BitOperations.Log2(value) - SubBits;
        return ((shift + 1) << SubBits) + (int)((value >> shift) - SubCount);
    }

    private static double LowOf(int index) =>
        index < SubCount ? index : (SubCount + (index & (SubCount - 1))) * Math.Pow(2, (index >> SubBits) - 1);
}
