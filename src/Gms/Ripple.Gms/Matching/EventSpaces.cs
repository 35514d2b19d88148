using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Gms.Definitions;

namespace Ripple.Gms.Matching;

/// <summary>The spaces of all applications of a host, and what they share: bytes, boxes, the numbers of deliveries. Core thread.</summary>
/// <param name="core">The core.</param>
/// <param name="options">The bounds.</param>
/// <param name="counters">The host's counters.</param>
internal sealed class EventSpaces(CoreLoop core, GmsEventOptions options, GmsCounters counters)
{
    private readonly SortedDictionary<string, EventSpace> _byApplication = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _fromBefore = new(StringComparer.Ordinal);
    private long _graceEndsNs;
    private ulong _sequence;
    private bool _hasTicked;

    /// <summary>Adds the memory of events that are not delivered. What boxes take is bounded by their number.</summary>
    public static void AddMemory(MemoryBudget budget, GmsEventOptions options) => budget.Add(
        MemoryScope.Process, MemoryKind.Transient, "events that are not delivered", 1, options.BytesMax);

    /// <summary>The bounds.</summary>
    public GmsEventOptions Options => options;

    /// <summary>Who has how many boxes.</summary>
    public ShareLedger Boxes { get; } = new(options.BoxesMax);

    /// <summary>The bytes of events that are not delivered.</summary>
    public long Bytes { get; private set; }

    /// <summary>The spaces, by application.</summary>
    public IReadOnlyCollection<EventSpace> All => _byApplication.Values;

    /// <summary>Notes an application whose definitions are of before the host's start: so may be its subscribers.</summary>
    public void OnStored(string application) => _fromBefore.Add(application);

    /// <summary>The space of an application; null if it has none.</summary>
    public EventSpace? Find(string application) => _byApplication.GetValueOrDefault(application);

    /// <summary>Takes over what an application says of its space.</summary>
    public void OnDefinitions(string application, ApplicationDefinitions definitions)
    {
        bool isFromBefore = _fromBefore.Remove(application);
        EventSpace? space = Find(application);
        if (definitions.Space is not { } definition)
        {
            if (space is not null)
            {
                _byApplication.Remove(application);
                space.Close(new Refusal(ErrorCode.NotFound, $"The space of '{application}' was removed."));
            }
        }
        else if (space is null)
        {
            bool isInGrace = isFromBefore && (!_hasTicked || core.NowNs < _graceEndsNs);
            _byApplication.Add(application, new EventSpace(this, application, definition, isInGrace));
        }
        else if (!ReferenceEquals(space.Definition, definition))
        {
            space.TakeOver(definition);
        }
    }

    /// <summary>Called a few times a second.</summary>
    public void OnTick()
    {
        long nowNs = core.NowNs;
        if (!_hasTicked)
        {
            // Only now: a host is made before its core has a clock.
            _hasTicked = true;
            _graceEndsNs = nowNs + Options.GraceNs;
        }

        foreach (EventSpace space in _byApplication.Values)
        {
            space.OnTick(nowNs, nowNs < _graceEndsNs);
        }
    }

    /// <summary>
    /// The host stops: from here on nobody who goes is gone for good, so that no emitter is told that its event is delivered to them.
    /// </summary>
    public void Stop() => IsStopping = true;

    /// <summary>The host stops.</summary>
    public bool IsStopping { get; private set; }

    /// <summary>The core's time.</summary>
    internal long NowNs => core.NowNs;

    /// <summary>The number of the next delivery.</summary>
    internal ulong NextSequence() => ++_sequence;

    /// <summary>Takes room for an event; what waits for those who take too little makes room.</summary>
    internal bool TryTake(long bytes)
    {
        while (Bytes + bytes > Options.BytesMax)
        {
            EventSession? most = _byApplication.Values.SelectMany(s => s.Sessions).MaxBy(s => s.WaitingBytes);
            if (most is not { WaitingCount: > 0 })
            {
                return false;
            }

            // Half of it at once: to find the next costs a look at all.
            for (int count = (most.WaitingCount + 1) / 2; count > 0; count--)
            {
                most.DropOldest();
            }
        }

        Bytes += bytes;
        return true;
    }

    internal void Return(long bytes) => Bytes -= bytes;

    internal void OnDropped() => counters.EventsDropped++;

    internal void OnHeld() => counters.EventsHeld++;
}
