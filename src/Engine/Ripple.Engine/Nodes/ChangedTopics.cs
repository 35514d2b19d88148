namespace Ripple.Engine.Nodes;

/// <summary>
/// Which of a node's topics changed since they were taken last, by index, in the order in which they changed. Core thread.
/// </summary>
internal sealed class ChangedTopics
{
    private readonly Queue<int> _order = [];
    private bool[] _isChanged = [];

    /// <summary>There are so many topics from now on, and all have changed.</summary>
    public void Reset(int count)
    {
        _order.Clear();
        _isChanged = new bool[count];
        _order.EnsureCapacity(count);
        for (int i = 0; i < count; i++)
        {
            Mark(i);
        }
    }

    /// <summary>A topic changed.</summary>
    public void Mark(int index)
    {
        if (!_isChanged[index])
        {
            _isChanged[index] = true;
            _order.Enqueue(index);
        }
    }

    /// <summary>Takes the one that changed first; false when there is none.</summary>
    public bool TryTake(out int index)
    {
        if (!_order.TryDequeue(out index))
        {
            return false;
        }

        _isChanged[index] = false;
        return true;
    }

    /// <summary>Takes all.</summary>
    public int[] TakeAll()
    {
        int[] all = [.. _order];
        _order.Clear();
        foreach (int index in all)
        {
            _isChanged[index] = false;
        }

        return all;
    }
}
