namespace Ripple.Client.Verification;

/// <summary>The signatures verified recently, in a bounded LRU set. Not synchronized.</summary>
internal sealed class VerifiedSignatures(int capacity)
{
    private readonly Dictionary<SignedId, LinkedListNode<SignedId>> _byKey = new(capacity);
    private readonly LinkedList<SignedId> _byUse = [];

    public int Count => _byKey.Count;

    public bool Contains(in SignedId key)
    {
        if (!_byKey.TryGetValue(key, out LinkedListNode<SignedId>? node))
        {
            return false;
        }

        _byUse.Remove(node);
        _byUse.AddLast(node);
        return true;
    }

    public void Add(in SignedId key)
    {
        if (Contains(key))
        {
            return;
        }

        if (_byKey.Count == capacity)
        {
            _byKey.Remove(_byUse.First!.Value);
            _byUse.RemoveFirst();
        }

        _byKey.Add(key, _byUse.AddLast(key));
    }
}
