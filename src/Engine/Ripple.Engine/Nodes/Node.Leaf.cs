using Ripple.Engine.Core;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <content>
/// A leaf: a node that its region's view lacks, and that stays connected. No token comes by, so that it reports over its connection, and
/// the host brings it forward by catch-up. It ends when a view includes it again, or with the connection.
/// </content>
internal sealed partial class Node
{
    /// <summary>The shortest time between its reports: a release changes three levels.</summary>
    private const long LeafReportNs = 10_000_000;

    private readonly Alarm _leafReport;
    private ViewNumber _lastView;

    /// <summary>Whether the node was taken out of the view, and is not in it again.</summary>
    public bool IsLeaf { get; private set; }

    /// <summary>Whether it has no seat in its region either: the host may give it another.</summary>
    internal bool HasNoSeat => IsLeaf && _region is null;

    /// <summary>The number of its view; without a seat, of the last it was told.</summary>
    internal ViewNumber ViewNumber => _region?.View.Number ?? _lastView;

    void IRegionMembershipHandler.OnIncluded() => EndLeaf();

    void IRegionMembershipHandler.OnExcluded()
    {
        RegionMembership left = _region!;
        _lastView = left.View.Number;
        _group.Leave();
        _region = null;
        left.Dispose();
        IsLeaf = true;
        Counters.Exclusions++;
        Report();
        // The host goes on from what this says: it knows what a leaf holds by what it was asked for.
        foreach (ApplicationReplica replica in _topics)
        {
            ReleaseState received = replica.Received.Keys;
            TrySend(new CatchUpRequest(replica.Topic, received.Generation, received.Release, received.Id));
        }
    }

    /// <summary>
    /// The host gives this leaf another seat, in the place of one in which nothing reached it, if it had that. It stays a leaf until a view
    /// includes it.
    /// </summary>
    internal void OnReturned(JoinAccepted accepted)
    {
        TakeSeat(accepted);
        LearnAll(accepted.Topics);
        TakePending();
    }

    private void ReportAsLeaf()
    {
        if (IsLeaf)
        {
            _core.Alarms.ScheduleNoLater(_leafReport, _core.NowNs + LeafReportNs);
        }
    }

    private void EndLeaf()
    {
        IsLeaf = false;
        _core.Alarms.Cancel(_leafReport);
    }
}
