namespace Ripple.Gms.Calls;

/// <summary>The past states that were asked for last: they never change, and each is a walk through the history. Core thread.</summary>
internal sealed class HistoricalStates
{
    /// <summary>
    /// Two ends of a comparison for a few people who look at the same time; a key table is as large as what is published.
    /// </summary>
    private const int StatesMax = 16;

    private readonly LinkedList<HistoricalState> _newestFirst = [];

    public HistoricalState? Find(uint topic, ulong release)
    {
        for (LinkedListNode<HistoricalState>? node = _newestFirst.First; node is not null; node = node.Next)
        {
            if (node.Value.Topic == topic && node.Value.Release == release)
            {
                _newestFirst.Remove(node);
                _newestFirst.AddFirst(node);
                return node.Value;
            }
        }

        return null;
    }

    public void Add(HistoricalState state)
    {
        if (Find(state.Topic, state.Release) is not null)
        {
            // Two asked for it at once.
            return;
        }

        _newestFirst.AddFirst(state);
        if (_newestFirst.Count > StatesMax)
        {
            _newestFirst.RemoveLast();
        }
    }
}
