namespace Ripple.Gms.Api;

/// <summary>The past states that were asked for last: they never change, and each is a walk through the history. Any thread.</summary>
internal sealed class HistoricalStates
{
    private const int StatesMax = 16;

    private readonly Lock _gate = new();
    private readonly LinkedList<((uint Topic, ulong Release) Key, HistoricalState State)> _newestFirst = [];

    public HistoricalState? Find(uint topic, ulong release)
    {
        lock (_gate)
        {
            for (LinkedListNode<((uint, ulong) Key, HistoricalState State)>? node = _newestFirst.First; node is not null; node = node.Next)
            {
                if (node.Value.Key == (topic, release))
                {
                    _newestFirst.Remove(node);
                    _newestFirst.AddFirst(node);
                    return node.Value.State;
                }
            }

            return null;
        }
    }

    public void Add(uint topic, HistoricalState state)
    {
        lock (_gate)
        {
            _newestFirst.AddFirst(((topic, state.Release), state));
            if (_newestFirst.Count > StatesMax)
            {
                _newestFirst.RemoveLast();
            }
        }
    }
}
