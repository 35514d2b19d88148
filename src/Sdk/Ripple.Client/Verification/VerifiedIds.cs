using Ripple.Engine.Releases;

namespace Ripple.Client.Verification;

/// <summary>The ids verified recently, in a bounded LRU set. Not synchronized.</summary>
internal sealed class VerifiedIds(int capacity)
{
    private readonly Dictionary<Digest160, LinkedListNode<Digest160>> _byId = new(capacity);
    private readonly LinkedList<Digest160> _byUse = [];

    public int Count => _byId.Count;

    public bool Contains(in Digest160 id)
    {
        if (!_byId.TryGetValue(id, out LinkedListNode<Digest160>? node))
        {
            return false;
        }

        _byUse.Remove(node);
        _byUse.AddLast(node);
        return true;
    }

    public void Add(in Digest160 id)
    {
        if (Contains(id))
        {
            return;
        }

        if (_byId.Count == capacity)
        {
            _byId.Remove(_byUse.First!.Value);
            _byUse.RemoveFirst();
        }

        _byId.Add(id, _byUse.AddLast(id));
    }
}
