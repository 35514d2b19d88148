using Ripple.Engine.Frontier;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Sessions;

namespace Ripple.Gms.Core;

/// <content>What members say they have, on its way to the frontiers.</content>
public sealed partial class HostCore
{
    void IServedRegionOwner.OnLevels(NodeConnection session, LevelRow row) => Evidence(session, row, isDirect: false);

    void IServedRegionOwner.OnRejection(NodeConnection session, RejectionRow row) => OnRejection(session, row);

    void IServedRegionOwner.OnSilent(NodeConnection session)
    {
        foreach (PrimaryFrontier frontier in FrontiersOf(session))
        {
            frontier.OnSilent(session.Record!);
        }
    }

    void IServedRegionOwner.OnTableChanged(ServedRegion region) => EvaluateWaits();

    internal void OnDirect(NodeConnection session, LevelRow row) => Evidence(session, row, isDirect: true);

    /// <summary>Waits look at the tables once, after all rows of one message were told.</summary>
    internal void EvaluateWaits()
    {
        foreach (uint topic in _changedTopics)
        {
            _frontiers[topic].OnChanged();
        }

        _changedTopics.Clear();
    }

    /// <summary>The same, a moment later: heartbeats come one by one from every node, and a look costs the waits times the members.</summary>
    internal void EvaluateSoon()
    {
        if (_changedTopics.Count > 0)
        {
            _context.Core.Alarms.ScheduleNoLater(_look, _context.Core.NowNs + EvaluateDelayNs);
        }
    }

    internal void OnRejection(NodeConnection session, RejectionRow row)
    {
        if (_frontiers.TryGetValue(row.Topic, out PrimaryFrontier? frontier) && frontier.OnRejection(session.Record!, row))
        {
            _changedTopics.Add(row.Topic);
        }
    }

    private void Evidence(NodeConnection session, LevelRow row, bool isDirect)
    {
        if (_frontiers.TryGetValue(row.Topic, out PrimaryFrontier? frontier) && frontier.OnLevels(session.Record!, row, isDirect))
        {
            _changedTopics.Add(row.Topic);
        }
    }

    private IEnumerable<PrimaryFrontier> FrontiersOf(NodeConnection session) =>
        session.Identity!.Interest.Select(Find).OfType<ApplicationPrimary>().Select(p => _frontiers[p.Topic]);

    /// <summary>The members of an application: every node that has it in its interest.</summary>
    internal void Demand(ApplicationPrimary primary, ulong release)
    {
        foreach (ServedRegion region in _regions.Values)
        {
            if (region.Identity.Interest.Contains(primary.Name))
            {
                region.Demand(primary.Topic, release);
            }
        }
    }
}
