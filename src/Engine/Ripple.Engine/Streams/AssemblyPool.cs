using System.Runtime.CompilerServices;
using Ripple.Engine.Core;

namespace Ripple.Engine.Streams;

/// <summary>
/// What the receivers of one core take to put messages together. Made as they join and never as packets are lost: one receiver alone finds as many as it may use, and
/// several share, for they seldom need many at the same moment. One each is a receiver's own, so that what the others use cannot hold up its next packet. Core thread.
/// </summary>
internal sealed class AssemblyPool
{
    private const int ForFirst = 64;
    private const int ForEachMore = 16;
    private static readonly ConditionalWeakTable<CoreLoop, AssemblyPool> Pools = [];
    private readonly Stack<Assembly> _free = new(ForFirst);
    private readonly Stack<Assembly> _leftBehind = [];
    private int _receivers;
    private int _shared;

    private AssemblyPool(CoreLoop core) => Buffers = new AssemblyBuffers(core);

    /// <summary>Where the buffers of longer messages come from.</summary>
    public AssemblyBuffers Buffers { get; }

    /// <summary>How many are free for whoever asks.</summary>
    public int FreeCount => _free.Count;

    /// <summary>The pool of a core; one receiver more uses it, until <see cref="Leave"/>.</summary>
    /// <param name="core">The core.</param>
    /// <param name="own">The receiver's own.</param>
    public static AssemblyPool Join(CoreLoop core, out Assembly own)
    {
        AssemblyPool pool = Pools.GetValue(core, static c => new AssemblyPool(c));
        pool._receivers++;
        // What a receiver before left is there for the next one.
        for (int due = ForFirst + ((pool._receivers - 1) * ForEachMore); pool._shared < due; pool._shared++)
        {
            pool._free.Push(new Assembly());
        }

        own = pool._leftBehind.TryPop(out Assembly? left) ? left : new Assembly();
        return pool;
    }

    /// <summary>A receiver that has returned all others leaves its own.</summary>
    public void Leave(Assembly own)
    {
        _receivers--;
        _leftBehind.Push(own);
    }

    /// <summary>One of the shared: only as many as <see cref="FreeCount"/> says.</summary>
    public Assembly Take() => _free.Pop();

    public void Return(Assembly assembly) => _free.Push(assembly);
}
