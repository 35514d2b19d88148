using System.Diagnostics.CodeAnalysis;

namespace Ripple.Gms.Store;

/// <summary>
/// What waits, by whom it is for: each owner's in its order, and the owners in turn, so that nobody waits behind more than one item of each
/// other. The owner of the queue bounds it. One thread at a time.
/// </summary>
/// <typeparam name="T">What waits.</typeparam>
internal sealed class TurnQueue<T>
    where T : notnull
{
    private readonly Dictionary<uint, Queue<T>> _waiting = [];
    private readonly Queue<uint> _turns = [];

    /// <summary>How many items wait.</summary>
    public int Count { get; private set; }

    /// <summary>Adds an item behind those of its owner.</summary>
    public void Add(uint owner, T item)
    {
        if (!_waiting.TryGetValue(owner, out Queue<T>? items))
        {
            items = new Queue<T>();
            _waiting.Add(owner, items);
            _turns.Enqueue(owner);
        }

        items.Enqueue(item);
        Count++;
    }

    /// <summary>Takes the first item of the owner whose turn it is; false if nothing waits.</summary>
    public bool TryTake([NotNullWhen(true)] out T? item)
    {
        if (!_turns.TryDequeue(out uint owner))
        {
            item = default;
            return false;
        }

        Queue<T> items = _waiting[owner];
        item = items.Dequeue();
        Count--;
        if (items.Count > 0)
        {
            _turns.Enqueue(owner);
        }
        else
        {
            _waiting.Remove(owner);
        }

        return true;
    }
}
