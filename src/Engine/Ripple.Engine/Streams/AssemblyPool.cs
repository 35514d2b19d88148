using System.Runtime.CompilerServices;
using Ripple.Engine.Core;

namespace Ripple.Engine.Streams;

/// <summary>
/// What the receivers of one core take to put messages together. Made as they join and not as packets are lost: one receiver alone finds as many as it may use, and
/// several share, for they seldom need many at the same moment. Core thread.
/// </summary>
internal sealed class AssemblyPool
{
    private const int ForFirst = 64;
    private const int ForEachMore = 16;
    private static readonly ConditionalWeakTable<CoreLoop, AssemblyPool> Pools = [];
    private readonly Stack<Assembly> _free = new(ForFirst);
    private int _receivers;
    private int _made;

    /// <summary>The pool of a core; one receiver more uses it, until <see cref="Leave"/>.</summary>
    public static AssemblyPool Join(CoreLoop core)
    {
        AssemblyPool pool = Pools.GetOrCreateValue(core);
        pool._receivers++;
        // What a receiver before left is there for the next one.
        for (int due = ForFirst + ((pool._receivers - 1) * ForEachMore); pool._made < due; pool._made++)
        {
            pool._free.Push(new Assembly());
        }

        return pool;
    }

    public void Leave() => _receivers--;

    public Assembly Take()
    {
        if (_free.TryPop(out Assembly? assembly))
        {
            return assembly;
        }

        _made++;
        return new Assembly();
    }

    public void Return(Assembly assembly) => _free.Push(assembly);
}
