namespace Ripple.Simulator.Oracles;

/// <summary>Every publish that was ever asked for, by publish id: the origin of all content in a simulated world.</summary>
internal sealed class PublishBook
{
    private readonly SortedDictionary<Guid, PublishIntent> _byId = [];

    /// <summary>Records a publish before it is sent. A repeat keeps the first record.</summary>
    public PublishIntent Record(PublishIntent intent)
    {
        ArgumentNullException.ThrowIfNull(intent);
        return _byId.TryAdd(intent.Id, intent) ? intent : _byId[intent.Id];
    }

    /// <summary>The publish of an id; null if nobody asked for it.</summary>
    public PublishIntent? Find(Guid id) => _byId.GetValueOrDefault(id);
}
