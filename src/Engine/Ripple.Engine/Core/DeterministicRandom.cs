using System.Numerics;

namespace Ripple.Engine.Core;

/// <summary>
/// The only source of randomness for protocol code: xoshiro256** seeded through SplitMix64, so that a seed determines the run. Not for keys
/// or tokens. Belongs to the core thread.
/// </summary>
internal sealed class DeterministicRandom
{
    private ulong _s0;
    private ulong _s1;
    private ulong _s2;
    private ulong _s3;

    /// <summary>Creates a generator; equal seeds give equal sequences on every platform.</summary>
    public DeterministicRandom(ulong seed)
    {
        _s0 = SplitMix(ref seed);
        _s1 = SplitMix(ref seed);
        _s2 = SplitMix(ref seed);
        _s3 = SplitMix(ref seed);
    }

    /// <summary>The position in the sequence: with the same state, the same values follow.</summary>
    public (ulong, ulong, ulong, ulong) State
    {
        get => (_s0, _s1, _s2, _s3);
        set => (_s0, _s1, _s2, _s3) = value;
    }

    /// <summary>The next 64 uniformly distributed bits.</summary>
    public ulong NextUInt64()
    {
        ulong result = BitOperations.RotateLeft(_s1 * 5, 7) * 9;
        ulong t = _s1 << 17;
        _s2 ^= _s0;
        _s3 ^= _s1;
        _s1 ^= _s2;
        _s0 ^= _s3;
        _s2 ^= t;
        _s3 = BitOperations.RotateLeft(_s3, 45);
        return result;
    }

    /// <summary>A value in [0, <paramref name="exclusiveMax"/>); 0 when that is not positive.</summary>
    public long NextInt64(long exclusiveMax) =>
        exclusiveMax <= 1 ? 0 : (long)Math.BigMul(NextUInt64(), (ulong)exclusiveMax, out _);

    /// <summary>A value in [0, <paramref name="exclusiveMax"/>); 0 when that is not positive.</summary>
    public int NextInt32(int exclusiveMax) => (int)NextInt64(exclusiveMax);

    /// <summary>A value in [0, 1).</summary>
    public double NextDouble() => (NextUInt64() >> 11) * (1.0 / (1UL << 53));

    /// <summary>True with the given probability (0 never, 1 always).</summary>
    public bool NextBool(double probability) => NextDouble() < probability;

    /// <summary>Creates a generator for another purpose, so that draws from one do not shift the other.</summary>
    public DeterministicRandom Fork(ulong purpose) => new(NextUInt64() ^ (purpose * 0x9E3779B97F4A7C15));

    /// <summary>One step of SplitMix64: a cheap mixer of seeds.</summary>
    public static ulong SplitMix(ref ulong state)
    {
        ulong z = state += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
