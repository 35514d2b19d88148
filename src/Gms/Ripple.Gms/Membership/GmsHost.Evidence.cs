using Ripple.Engine.Frontier;
using Ripple.Gms.Placement;

namespace Ripple.Gms.Membership;

/// <content>What members say they have, on its way to the frontiers.</content>
public sealed partial class GmsHost
{
    void IHostedRegionOwner.OnLevels(ClientSession session, LevelRow row) => Evidence(session, row, isDirect: false);

    void IHostedRegionOwner.OnRejection(ClientSession session, RejectionRow row) => OnRejection(session, row);

    void IHostedRegionOwner.OnSilent(ClientSession session)
    {
        foreach (PrimaryFrontier frontier in FrontiersOf(session))
        {
            frontier.OnSilent(session.Record!);
        }
    }

    void IHostedRegionOwner.OnTableChanged(HostedRegion region) => OnDirectDone();

    internal void OnDirect(ClientSession session, LevelRow row) => Evidence(session, row, isDirect: true);

    /// <summary>Waits look at the tables once, after all rows of one message were told.</summary>
    internal void OnDirectDone()
    {
        foreach (uint topic in _changedTopics)
        {
            _frontiers[topic].OnChanged();
        }

        _changedTopics.Clear();
    }

    /// <summary>The same, a moment later: heartbeats come one by one from every node, and a look costs the waits times the members.</summary>
    internal void LookSoon()
    {
        if (_changedTopics.Count > 0)
        {
            _context.Core.Alarms.ScheduleNoLater(_look, _context.Core.NowNs + LookDelayNs);
        }
    }

    internal void OnRejection(ClientSession session, RejectionRow row)
    {
        if (_frontiers.TryGetValue(row.Topic, out PrimaryFrontier? frontier) && frontier.OnRejection(session.Record!, row))
        {
            _changedTopics.Add(row.Topic);
        }
    }

    private void Evidence(ClientSession session, LevelRow row, bool isDirect)
    {
        if (_frontiers.TryGetValue(row.Topic, out PrimaryFrontier? frontier) && frontier.OnLevels(session.Record!, row, isDirect))
        {
            _changedTopics.Add(row.Topic);
        }
    }

    private IEnumerable<PrimaryFrontier> FrontiersOf(ClientSession session) =>
        session.Identity!.Interest.Select(Find).OfType<ApplicationPrimary>().Select(p => _frontiers[p.Topic]);

    /// <summary>The members of an application: every node that has it in its interest.</summary>
    internal void Demand(ApplicationPrimary primary, ulong release)
    {
        foreach (HostedRegion region in _regions.Values)
        {
            if (region.Identity.Interest.Contains(primary.Name))
            {
                region.Demand(primary.Topic, release);
            }
        }
    }
}
