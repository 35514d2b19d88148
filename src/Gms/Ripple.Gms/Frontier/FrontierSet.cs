using Ripple.Engine.Core;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The frontiers of all applications of a host. All evidence of one message or aggregate is recorded first; then the waits it affects are
/// evaluated once. Core thread.
/// </summary>
internal sealed class FrontierSet : IDisposable
{
    /// <summary>Batching delay: heartbeats arrive individually from every node, and each evaluation costs waits times members.</summary>
    private const long EvaluateDelayNs = 10_000_000;

    private readonly HostContext _context;
    private readonly Action<ApplicationPrimary, ulong> _demand;
    private readonly SortedDictionary<uint, PrimaryFrontier> _byTopic = [];
    private readonly SortedSet<uint> _changedTopics = [];
    private readonly Alarm _evaluate;

    /// <param name="context">The host's shared services.</param>
    /// <param name="demand">Asks every member of an application to report a release directly instead of through the ring.</param>
    public FrontierSet(HostContext context, Action<ApplicationPrimary, ulong> demand)
    {
        _context = context;
        _demand = demand;
        _evaluate = new Alarm(EvaluateWaits);
    }

    /// <summary>Creates the frontier of an application.</summary>
    public void Add(ApplicationPrimary primary) =>
        _byTopic.Add(primary.Topic, new PrimaryFrontier(_context, primary, release => _demand(primary, release)));

    /// <summary>The frontier of an application of this host.</summary>
    public PrimaryFrontier Of(ApplicationPrimary primary) => _byTopic[primary.Topic];

    /// <summary>Marks a topic's table as changed; its waits are evaluated with the next evaluation.</summary>
    public void OnChanged(uint topic) => _changedTopics.Add(topic);

    /// <summary>Evaluates the waits of all changed topics now.</summary>
    public void EvaluateWaits()
    {
        foreach (uint topic in _changedTopics)
        {
            _byTopic[topic].EvaluateWaits();
        }

        _changedTopics.Clear();
    }

    /// <summary>Evaluates them shortly afterwards, together with further changes until then.</summary>
    public void EvaluateSoon()
    {
        if (_changedTopics.Count > 0)
        {
            _context.Core.Alarms.ScheduleNoLater(_evaluate, _context.Core.NowNs + EvaluateDelayNs);
        }
    }

    /// <summary>
    /// Ends all waits without an answer: members that leave because this host stops say nothing about a release. Clients ask again
    /// elsewhere.
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
