using Ripple.Engine.Core;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The frontiers of all applications of a host. Evidence of one message or aggregate is taken in first, then the waits over what changed
/// are evaluated once. Core thread.
/// </summary>
internal sealed class FrontierSet : IDisposable
{
    /// <summary>
    /// Heartbeats come one by one from every node, and an evaluation costs the waits times the members: this many are taken together.
    /// </summary>
    private const long EvaluateDelayNs = 10_000_000;

    private readonly HostContext _context;
    private readonly Action<ApplicationPrimary, ulong> _demand;
    private readonly SortedDictionary<uint, PrimaryFrontier> _byTopic = [];
    private readonly SortedSet<uint> _changedTopics = [];
    private readonly Alarm _evaluate;

    /// <param name="context">What the host's rooms share.</param>
    /// <param name="demand">Asks every member of an application to say itself, and not by the ring, what it has of a release.</param>
    public FrontierSet(HostContext context, Action<ApplicationPrimary, ulong> demand)
    {
        _context = context;
        _demand = demand;
        _evaluate = new Alarm(EvaluateWaits);
    }

    /// <summary>Begins the frontier of an application.</summary>
    public void Add(ApplicationPrimary primary) =>
        _byTopic.Add(primary.Topic, new PrimaryFrontier(_context, primary, release => _demand(primary, release)));

    /// <summary>The frontier of an application of this host.</summary>
    public PrimaryFrontier Of(ApplicationPrimary primary) => _byTopic[primary.Topic];

    /// <summary>The table of a topic changed: its waits are evaluated with the others'.</summary>
    public void OnChanged(uint topic) => _changedTopics.Add(topic);

    /// <summary>Evaluates the waits over what changed, now.</summary>
    public void EvaluateWaits()
    {
        foreach (uint topic in _changedTopics)
        {
            _byTopic[topic].EvaluateWaits();
        }

        _changedTopics.Clear();
    }

    /// <summary>The same a moment later, together with what comes until then.</summary>
    public void EvaluateSoon()
    {
        if (_changedTopics.Count > 0)
        {
            _context.Core.Alarms.ScheduleNoLater(_evaluate, _context.Core.NowNs + EvaluateDelayNs);
        }
    }

    /// <summary>
    /// Ends all waits without an answer: that members go because this host goes says nothing of a release. They are asked again elsewhere.
    /// </summary>
    public void Close()
    {
        foreach (PrimaryFrontier frontier in _byTopic.Values)
        {
            frontier.Dispose();
        }
    }

    public void Dispose()
    {
        _context.Core.Alarms.Cancel(_evaluate);
        Close();
    }
}
