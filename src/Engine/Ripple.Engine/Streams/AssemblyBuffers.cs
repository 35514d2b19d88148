using System.Numerics;
using System.Runtime.CompilerServices;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Streams;

/// <summary>
/// A pool of buffers for messages in assembly that do not fit into a receiver's own room, shared by all receivers of a core. It keeps as
/// many buffers of a size as were in use at one time; the runtime's shared pool is emptied by the garbage collector and by other users, and
/// a core thread would then allocate during repair. A surplus, such as one long release to many receivers leaves behind, is freed later.
/// It also keeps the assemblies of one receiver that ended. Core thread.
/// </summary>
internal sealed class AssemblyBuffers
{
    /// <summary>How many buffers of a size are always kept.</summary>
    private const int KeptPerSize = 64;

    /// <summary>How long buffers above that number may stay unused before they are freed.</summary>
    private const long IdleNs = 30_000_000_000;

    private const int SmallestLog2 = 12;
    private static readonly int Sizes = SizeOf(WireLimits.MessageBytesMax) + 1;
    private static readonly ConditionalWeakTable<CoreLoop, AssemblyBuffers> OfCores = [];
    private readonly CoreLoop _core;
    private readonly Alarm _look;
    private readonly Stack<byte[]>[] _free = new Stack<byte[]>[Sizes];
    // The fewest free buffers of each size since the last check: that many were not needed.
    private readonly int[] _unused = new int[Sizes];
    private Assembly[] _assemblies = [];

    private AssemblyBuffers(CoreLoop core)
    {
        _core = core;
        _look = new Alarm(OnLook);
        for (int i = 0; i < Sizes; i++)
        {
            _free[i] = new Stack<byte[]>(KeptPerSize);
        }
    }

    /// <summary>The buffers of a core.</summary>
    public static AssemblyBuffers Of(CoreLoop core) => OfCores.GetValue(core, static c => new AssemblyBuffers(c));

    /// <summary>Takes a buffer of at least this many bytes, with arbitrary content.</summary>
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

    /// <summary>Takes back a buffer from <see cref="Rent"/>.</summary>
    public void Return(byte[] buffer)
    {
        Stack<byte[]> free = _free[SizeOf(buffer.Length)];
        free.Push(buffer);
        if (free.Count > KeptPerSize && !_look.IsScheduled)
        {
            _core.ScheduleIn(_look, IdleNs);
        }
    }

    /// <summary>
    /// Takes the assemblies of a receiver. Those of the receiver before it, if it had as many: who joins again allocates nothing.
    /// </summary>
    public Assembly[] RentAssemblies(int count)
    {
        Assembly[] assemblies = _assemblies;
        _assemblies = [];
        if (assemblies.Length == count)
        {
            return assemblies;
        }

        // Allocated here, not when packets are lost. Nothing is written to it: unused parts take address space, but no memory.
        byte[] rooms = GC.AllocateUninitializedArray<byte>(count * Assembly.RoomBytes);
        assemblies = new Assembly[count];
        for (int i = 0; i < count; i++)
        {
            assemblies[i] = new Assembly(rooms, i * Assembly.RoomBytes, this);
        }

        return assemblies;
    }

    /// <summary>Takes back assemblies from <see cref="RentAssemblies"/>. One that a handler still reads keeps them from being reused.
    /// </summary>
    public void ReturnAssemblies(Assembly[] assemblies)
    {
        if (!Array.Exists(assemblies, static a => a.IsInUse))
        {
            _assemblies = assemblies;
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
