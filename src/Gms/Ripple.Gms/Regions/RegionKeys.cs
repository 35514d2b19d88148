using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Regions;

/// <summary>
/// The key of one region: who holds it without being a member, and when another follows. Whatever makes a change necessary, members are
/// told of at most one in <see cref="GmsOptions.KeyChangeNsMin"/>, except where somebody must be kept out at once. Core thread.
/// </summary>
internal sealed class RegionKeys : IDisposable
{
    private readonly CoreLoop _core;
    private readonly GmsOptions _options;
    private readonly IKeySource _source;
    private readonly Action _onChanged;
    private readonly SortedDictionary<NodeId, string> _former = [];
    private readonly Alarm _alarm;
    private long _sinceNs;
    private bool _mustChange;

    /// <param name="core">The core.</param>
    /// <param name="options">Lifetime of a key, and time between changes.</param>
    /// <param name="source">Makes the keys.</param>
    /// <param name="firstEpoch">The epoch of the first key.</param>
    /// <param name="onChanged">Called after each change.</param>
    public RegionKeys(CoreLoop core, GmsOptions options, IKeySource source, uint firstEpoch, Action onChanged)
    {
        _core = core;
        _options = options;
        _source = source;
        _onChanged = onChanged;
        Epoch = firstEpoch;
        Key = source.NewRegionKey();
        _sinceNs = core.NowNs;
        _alarm = new Alarm(OnDue);
        core.ScheduleIn(_alarm, options.KeyLifetimeNs);
    }

    /// <summary>Adds the memory of a member that is gone and holds the key: a tree node with a name and a token.</summary>
    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Connection, MemoryKind.Retained, "region: who is gone and holds its key", 1, 72);

    /// <summary>The epoch of the present key.</summary>
    public uint Epoch { get; private set; }

    /// <summary>The present key. Must not be modified.</summary>
    public byte[] Key { get; private set; }

    /// <summary>A node becomes a member, and is given the present key.</summary>
    public void OnSeated(NodeId node) => _former.Remove(node);

    /// <summary>
    /// A member is gone, and holds the key. Another follows after the time between changes, unless all who are gone are members again by
    /// then: a restart changes no key.
    /// </summary>
    /// <param name="node">The node.</param>
    /// <param name="tokenId">The token it enrolled with.</param>
    public void OnGone(NodeId node, string tokenId)
    {
        _former[node] = tokenId;
        bool isFull = _former.Count > _options.RegionMembersMax;
        _core.Alarms.ScheduleNoLater(_alarm, _core.NowNs + (isFull ? 0 : _options.KeyChangeNsMin));
    }

    /// <summary>Tokens have ended or nodes were revoked: the key changes at once if one of those is gone and holds it.</summary>
    /// <param name="isEntitled">Whether a node and its token are good for the region.</param>
    public void Check(Func<NodeId, string, bool> isEntitled)
    {
        if (!_former.All(f => isEntitled(f.Key, f.Value)))
        {
            ChangeNow();
        }
    }

    /// <summary>Somebody must be kept out: the key changes in the next turn, once for all such events of this one.</summary>
    public void ChangeNow() => ChangeAt(_core.NowNs);

    /// <summary>The key has become unusable for somebody: it changes as soon as the time between changes allows.</summary>
    public void ChangeSoon() => ChangeAt(Math.Max(_core.NowNs, _sinceNs + _options.KeyChangeNsMin));

    /// <inheritdoc/>
    public void Dispose() => _core.Alarms.Cancel(_alarm);

    private void ChangeAt(long dueNs)
    {
        _mustChange = true;
        _core.Alarms.ScheduleNoLater(_alarm, dueNs);
    }

    private void OnDue()
    {
        long endNs = _sinceNs + _options.KeyLifetimeNs;
        if (!_mustChange && _former.Count == 0 && _core.NowNs < endNs)
        {
            _core.Alarms.Schedule(_alarm, endNs);
            return;
        }

        _mustChange = false;
        _former.Clear();
        _sinceNs = _core.NowNs;
        Epoch++;
        Key = _source.NewRegionKey();
        _core.ScheduleIn(_alarm, _options.KeyLifetimeNs);
        _onChanged();
    }
}

/// <summary>The source of keys: the system's random generator, or the simulator's seed.</summary>
internal interface IKeySource
{
    /// <summary>Returns a new 16-byte key. Core thread.</summary>
    byte[] NewRegionKey();

    /// <summary>Returns a new 32-byte key for one member. Core thread.</summary>
    byte[] NewMemberKey();
}
