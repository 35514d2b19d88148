namespace Ripple.Gms.Calls;

/// <summary>
/// The most recently requested past states, kept because they never change and each takes a walk through the history. Core thread.
/// </summary>
internal sealed class HistoricalStates
{
    /// <summary>Both sides of a comparison for a few concurrent users; a key table is as large as the published state.</summary>
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
            // Requested twice concurrently.
            return;
        }

        _newestFirst.AddFirst(state);
        if (_newestFirst.Count > StatesMax)
        {
            _newestFirst.RemoveLast();
        }
    }
}
