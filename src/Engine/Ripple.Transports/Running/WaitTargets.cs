namespace Ripple.Transports.Running;

/// <summary>The targets of a waiter by token; tokens of removed targets are reused.</summary>
internal sealed class WaitTargets
{
    private readonly List<IWaitTarget?> _targets = [];
    private readonly Stack<int> _free = [];

    /// <summary>How many there are.</summary>
    public int Count => _targets.Count - _free.Count;

    /// <summary>One above the highest token.</summary>
    public int End => _targets.Count;

    /// <summary>The target of a token; null when it is gone.</summary>
    public IWaitTarget? this[int token] => token < _targets.Count ? _targets[token] : null;

    public int Add(IWaitTarget target)
    {
        if (_free.TryPop(out int token))
        {
            _targets[token] = target;
            return token;
        }

        _targets.Add(target);
        return _targets.Count - 1;
    }

    public void Remove(int token)
    {
        _targets[token] = null;
        _free.Push(token);
    }
}
