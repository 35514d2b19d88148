using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Frontier;

/// <summary>
/// One joined node's rows in the frontiers of its applications, by topic. Held per node, so that evidence finds its row without a lookup by
/// incarnation. Core thread.
/// </summary>
internal sealed class MemberFrontierRows
{
    private readonly FrontierSet _frontiers;
    private readonly GmsCounters _counters;
    private readonly GmsEvents _events;
    private readonly MemberRecord _record;
    private readonly ApplicationFrontier[] _applicationFrontiers;
    private readonly FrontierRow?[] _rows;
    private readonly (uint Generation, ulong Release)[] _demanded;
    private bool _isNamed;
    private bool _isSilent;

    public MemberFrontierRows(
        FrontierSet frontiers, GmsCounters counters, GmsEvents events, MemberRecord record, IEnumerable<ApplicationFrontier> interest)
    {
        _frontiers = frontiers;
        _counters = counters;
        _events = events;
        _record = record;
        _applicationFrontiers = [.. interest.OrderBy(f => f.Topic)];
        _rows = [.. _applicationFrontiers.Select(f => f.OnJoined(record))];
        _demanded = new (uint, ulong)[_applicationFrontiers.Length];
    }

    /// <summary>
    /// True if the node must be asked to report this release directly: once for each release, and only while it has not reported it, so
    /// that waits that begin and end cost nobody anything.
    /// </summary>
    public bool TryDemand(uint topic, ulong release)
    {
        if (!TryFind(topic, out int i) || _rows[i] is not { } row)
        {
            return false;
        }

        uint generation = _applicationFrontiers[i].Table.Generation;
        bool isAsked = _demanded[i].Generation == generation && _demanded[i].Release >= release;
        bool isReported = row.Generation == generation
            && Math.Min(row.DirectReceived, Math.Min(row.DirectPersisted, row.DirectApplied)) >= release;
        if (isAsked || isReported)
        {
            return false;
        }

        _demanded[i] = (generation, release);
        return true;
    }

    /// <summary>The newest release that the node has received, by any evidence; 0 for none of the present generation.</summary>
    public ulong ReceivedOf(uint topic) => TryFind(topic, out int i) && _rows[i] is { } row ? row.Received : 0;

    /// <summary>Whether the node itself has reported a release of an application as received.</summary>
    public bool HasReported(uint topic, ulong release) =>
        TryFind(topic, out int i) && (release == 0 || _rows[i]?.DirectReceived >= release);

    /// <summary>Records the node's levels for an application, reported directly or through the ring.</summary>
    public void OnLevels(LevelRow levels, bool isDirect)
    {
        OnHeard();
        ulong newest = Math.Max(levels.Received, Math.Max(levels.Persisted, levels.Applied));
        if (TryFind(levels.Topic, out int i)
            && IsPossible(_applicationFrontiers[i], levels.Generation, newest, isDirect)
            && _applicationFrontiers[i].OnLevels(_rows[i], levels, isDirect))
        {
            _frontiers.OnChanged(_applicationFrontiers[i]);
        }
    }

    /// <summary>Records that the node rejected a release, reported directly or through the ring.</summary>
    public void OnRejection(RejectionRow rejection, bool isDirect)
    {
        if (TryFind(rejection.Topic, out int i)
            && IsPossible(_applicationFrontiers[i], rejection.Generation, rejection.Release, isDirect)
            && _applicationFrontiers[i].OnRejection(_rows[i], rejection, isDirect))
        {
            _frontiers.OnChanged(_applicationFrontiers[i]);
        }
    }

    /// <summary>
    /// Records that the node itself claims a level of an application's own. Null if it may, else the refusal: it takes no such application,
    /// or there is no such level or release.
    /// </summary>
    public Refusal? OnClaim(LevelReport report)
    {
        int i = Array.FindIndex(_applicationFrontiers, f => f.Name == report.Application);
        if (i < 0 || _rows[i] is not { } row)
        {
            return new Refusal(
                ErrorCode.NotAllowed, $"This node does not take '{report.Application}', so that it has no level of it to report.");
        }

        ApplicationFrontier frontier = _applicationFrontiers[i];
        FrontierLevels levels = frontier.Table.Levels;
        int level = levels.IndexOf(report.Level);
        if (level < FrontierLevels.Count)
        {
            string own = levels.Own.Count == 0 ? "none" : string.Join(", ", levels.Own);
            return new Refusal(
                level < 0 ? ErrorCode.NotFound : ErrorCode.InvalidRequest,
                level < 0
                    ? $"'{report.Application}' has no level '{report.Level}' of its own; there is {own}. Declare it first."
                    : $"'{report.Level}' is reported by each node's library. Report one of the application's own; there is {own}.");
        }

        // A generation that ended is no more than a report that came late; what is beyond all that is committed is a lie, and counted.
        bool isOfThis = report.Generation == frontier.Table.Generation && report.Release > 0;
        if (!IsPossible(frontier, report.Generation, report.Release, isDirect: true) || !isOfThis)
        {
            return new Refusal(ErrorCode.NotFound, string.Create(
                CultureInfo.InvariantCulture,
                $"'{report.Application}' has no release {report.Generation}/{report.Release}: it is at {frontier.Newest}."));
        }

        if (frontier.Table.Claim(row, report.Generation, level, report.Release))
        {
            _frontiers.OnChanged(frontier);
        }

        return null;
    }

    /// <summary>Records that the node did not take the ring's token.</summary>
    public void OnSilent() => SetSilent(true);

    /// <summary>Records a sign of life: the node is silent no more, in applications of which it has nothing to tell as well.</summary>
    public void OnHeard() => SetSilent(false);

    /// <summary>Records that the node is no longer a member.</summary>
    public void OnRemoved(RemovalCause cause)
    {
        for (int i = 0; i < _applicationFrontiers.Length; i++)
        {
            if (_rows[i] is { } row)
            {
                _rows[i] = null;
                _applicationFrontiers[i].OnRemoved(row, cause);
            }
        }

        // Not at once: when a switch fails, all behind it go in one turn.
        _frontiers.EvaluateSoon();
    }

    private void SetSilent(bool isSilent)
    {
        if (_isSilent == isSilent)
        {
            return;
        }

        _isSilent = isSilent;
        for (int i = 0; i < _applicationFrontiers.Length; i++)
        {
            if (_rows[i] is { } row)
            {
                _applicationFrontiers[i].Table.SetStatus(row, isSilent ? MemberStatus.Silent : MemberStatus.Present);
            }
        }
    }

    /// <summary>
    /// False, and counted, for what nobody can have. Told directly, it is the node's own word, and it is named once; through a ring, it may
    /// be any member's.
    /// </summary>
    private bool IsPossible(ApplicationFrontier frontier, uint generation, ulong release, bool isDirect)
    {
        if (!frontier.IsImpossible(generation, release))
        {
            return true;
        }

        _counters.EvidenceRefused++;
        if (isDirect && !_isNamed)
        {
            _isNamed = true;
            string what = string.Create(
                CultureInfo.InvariantCulture,
                $"'{_record.Name}' reports {generation}/{release} of '{frontier.Name}', which is not committed here");
            _events.OnRefused(_record.Node, what);
        }

        return false;
    }

    private bool TryFind(uint topic, out int index)
    {
        int low = 0;
        int high = _applicationFrontiers.Length - 1;
        while (low <= high)
        {
            index = (low + high) / 2;
            uint found = _applicationFrontiers[index].Topic;
            if (found == topic)
            {
                return true;
            }

            (low, high) = found < topic ? (index + 1, high) : (low, index - 1);
        }

        index = -1;
        return false;
    }
}

/// <summary>One incarnation of a joined node, as its host knows it. Immutable.</summary>
/// <param name="Node">The node.</param>
/// <param name="Incarnation">Its incarnation.</param>
/// <param name="Name">Its name, for display and predicates.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="Application">Its own application.</param>
/// <param name="Labels">Its labels, by key.</param>
/// <param name="TokenId">The token it enrolled with.</param>
internal sealed record MemberRecord(
    NodeId Node,
    ulong Incarnation,
    string Name,
    string Zone,
    string Application,
    IReadOnlyList<KeyValuePair<string, string>> Labels,
    string TokenId);
