using System.Numerics;
using System.Runtime.CompilerServices;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// Buffers for messages in assembly that are too long for a receiver's own room, of all receivers of one core. As many of a size are kept
/// as were in use at one time: what one message took the next one finds. The runtime's shared pool is emptied by the collector and by
/// whoever else needs buffers, and then a core thread allocates while it repairs. Many that one long release to many receivers took are let
/// go again. Core thread.
/// </summary>
internal sealed class AssemblyBuffers
{
    /// <summary>How many of a size are kept in any case.</summary>
    private const int KeptPerSize = 64;

    /// <summary>What lay there unused for so long, and is more than that, is let go.</summary>
    private const long IdleNs = 30_000_000_000;

    private const int SmallestLog2 = 12;
    private static readonly int Sizes = SizeOf(WireLimits.MessageBytesMax) + 1;
    private static readonly ConditionalWeakTable<CoreLoop, AssemblyBuffers> OfCores = [];
    private readonly CoreLoop _core;
    private readonly Alarm _look;
    private readonly Stack<byte[]>[] _free = new Stack<byte[]>[Sizes];
    // The least that lay there since the last look: so many were not needed.
    private readonly int[] _unused = new int[Sizes];

    private AssemblyBuffers(CoreLoop core)
    {
        _core = core;
        _look = new Alarm(OnLook);
        for (int i = 0; i < Sizes; i++)
        {
            _free[i] = new Stack<byte[]>(KeptPerSize);
        }
    }

    /// <summary>Those of a core.</summary>
    public static AssemblyBuffers Of(CoreLoop core) => OfCores.GetValue(core, static c => new AssemblyBuffers(c));

    /// <summary>One of at least so many bytes, with whatever was in it.</summary>
    public byte[] Rent(int bytesMin)
    {
        int size = SizeOf(bytesMin);
        if (!_free[size].TryPop(out byte[]? buffer))
        {
            _unused[size] = 0;
            return new byte[1 << (size + SmallestLog2)];
        }

        _unused[size] = Math.Min(_unused[size], _free[size].Count);
        return buffer;
    }

    /// <summary>Takes back what <see cref="Rent"/> gave.</summary>
    public void Return(byte[] buffer)
    {
        Stack<byte[]> free = _free[SizeOf(buffer.Length)];
        free.Push(buffer);
        if (free.Count > KeptPerSize && !_look.IsScheduled)
        {
            _core.ScheduleIn(_look, IdleNs);
        }
    }

    private static int SizeOf(int bytes) => Math.Max(BitOperations.Log2((uint)bytes - 1) + 1 - SmallestLog2, 0);

    private void OnLook()
    {
        bool isMore = false;
        for (int i = 0; i < Sizes; i++)
        {
            for (; _unused[i] > 0 && _free[i].Count > KeptPerSize; _unused[i]--)
            {
                _free[i].Pop();
            }

            _unused[i] = _free[i].Count;
            isMore |= _unused[i] > KeptPerSize;
        }

        if (isMore)
        {
            _core.ScheduleIn(_look, IdleNs);
        }
    }
}
