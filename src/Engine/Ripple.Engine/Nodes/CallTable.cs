namespace Ripple.Engine.Nodes;

/// <summary>Calls to the host that await answers. Bounded. Core thread.</summary>
/// <param name="callsMax">The most calls in progress.</param>
internal sealed class CallTable(int callsMax)
{
    private readonly SortedDictionary<uint, Action<object?>> _pending = [];
    private uint _last;

    /// <summary>The number of calls in progress.</summary>
    public int Count => _pending.Count;

    /// <summary>
    /// Registers a call. The action receives each answer message, and null once if the connection breaks before the last answer. Returns 0
    /// when too many calls are in progress.
    /// </summary>
    public uint Register(Action<object?> onAnswer)
    {
        if (_pending.Count == callsMax)
        {
            return 0;
        }

        do
        {
            _last++;
        }
        while (_last == 0 || _pending.ContainsKey(_last));
        _pending[_last] = onAnswer;
        return _last;
    }

    /// <summary>Ends a call: no answer is delivered after this.</summary>
    public void Complete(uint call) => _pending.Remove(call);

    internal void Answer(uint call, object message)
    {
        if (_pending.TryGetValue(call, out Action<object?>? onAnswer))
        {
            onAnswer(message);
        }
    }

    internal void FailAll()
    {
        Action<object?>[] failed = [.. _pending.Values];
        _pending.Clear();
        foreach (Action<object?> onAnswer in failed)
        {
            onAnswer(null);
        }
    }
}
