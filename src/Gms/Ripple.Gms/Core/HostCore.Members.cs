using System.Globalization;
using Ripple.Engine.Interest;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Gms.Sessions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Core;

/// <content>Who may join, who is in, and who is no longer.</content>
public sealed partial class HostCore
{
    /// <summary>Null when the node may join, else why not.</summary>
    internal Refusal? Refuse(NodeConnection session, Join join)
    {
        if (join.ProtocolVersion is < Join.OldestVersion or > Join.CurrentVersion)
        {
            return new Refusal(ErrorCode.UnknownVersion, string.Create(CultureInfo.InvariantCulture, $"This host speaks versions {Join.OldestVersion} to {Join.CurrentVersion} of the protocol, the node {join.ProtocolVersion}. Upgrade the older of the two."));
        }

        if (!_tokens.IsGood(session.Peer.TokenId, _context.Clock.UnixMicros))
        {
            return new Refusal(ErrorCode.NotAllowed, $"The token {session.Peer.TokenId} is revoked, expired or not known here. Ask an administrator for another.");
        }

        foreach (string application in join.Interest.Append(session.Peer.Application))
        {
            if (!_byName.ContainsKey(application))
            {
                return new Refusal(ErrorCode.UnknownApplication, $"There is no application '{application}'. An administrator creates it first.");
            }

            if (!_tokens.Allows(session.Peer, application, AccessRole.Node))
            {
                return new Refusal(ErrorCode.NotAllowed, $"The token {session.Peer.TokenId} does not name the application '{application}'. Use a token that does.");
            }
        }

        return null;
    }

    /// <summary>Lets a node in: into its region's next view, once it has an incarnation and this host's epoch is above all the node has seen.</summary>
    internal void Admit(NodeConnection session, Join join)
    {
        if (session.IsClosed)
        {
            // It went while the epoch was on its way to the disk.
            return;
        }

        if (join.SlotEpoch >= _context.SlotEpoch && join.SlotEpoch - _context.SlotEpoch <= EpochLeapMax && !_context.Breaks(PlantedHostBugs.ViewNumbersStartOver))
        {
            RaiseEpoch(join.SlotEpoch + 1, () => Admit(session, join));
            return;
        }

        if (_joined.TryGetValue(session.Node, out NodeConnection? previous))
        {
            previous.Close("the node joined again", RemovalCause.Replaced);
        }

        session.BecomeIncarnation(NextIncarnation());
        _joined[session.Node] = session;
        ServedRegion region = RegionFor(session.Identity!);
        session.Region = region;
        region.Join(session);
    }

    /// <summary>The region that a joiner of this interest goes into: the first that has room, else a further one.</summary>
    private ServedRegion RegionFor(RegionIdentity identity)
    {
        if (!_interests.TryGetValue(identity.RegionId, out RegionSet? regions))
        {
            regions = new RegionSet(identity);
            _interests.Add(identity.RegionId, regions);
        }

        if (regions.Find(_context.Options.RegionMembersMax, out RegionIdentity missing) is not { } region)
        {
            region = new ServedRegion(_context, Counters, missing, this, _dataSink, _controlSink);
            regions.Add(region);
            _regions.Add(missing.RegionId, region);
        }

        return region;
    }

    /// <summary>The nodes that take releases of an application and are joined now, by id.</summary>
    internal IEnumerable<MemberRecord> MembersOf(string application) =>
        _joined.Values.Where(s => s.IsJoined && s.Identity!.Interest.Contains(application)).Select(s => s.Record!);

    /// <summary>How many nodes take releases of each application now.</summary>
    internal IReadOnlyDictionary<string, int> MemberCounts()
    {
        var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (string application in _joined.Values.Where(s => s.IsJoined).SelectMany(s => s.Identity!.Interest))
        {
            counts[application] = counts.GetValueOrDefault(application) + 1;
        }

        return counts;
    }

    /// <summary>True while the session's token is good, and good for every application that the session takes releases of.</summary>
    private bool IsEntitled(NodeConnection session, long nowMicros) =>
        _tokens.IsGood(session.Peer.TokenId, nowMicros)
        && (session.Identity is not { } identity || identity.Interest.All(application => _tokens.Allows(session.Peer, application, AccessRole.Node)));

    internal void OnJoined(NodeConnection session)
    {
        Counters.Joins++;
        Counters.Members++;
        foreach (PrimaryFrontier frontier in FrontiersOf(session))
        {
            frontier.OnJoined(session.Record!);
        }

        Events.Post(GmsEventKind.Joined, session.Record!.Name, string.Create(CultureInfo.InvariantCulture, $"incarnation {session.Incarnation}, application {session.Record.Application}, zone {session.Record.Zone}"));
    }

    internal void OnSessionClosed(NodeConnection session, RemovalCause cause, string reason)
    {
        _sessions.Remove(session);
        Counters.Sessions = _sessions.Count;
        if (session.Incarnation == 0)
        {
            return;
        }

        if (_joined.TryGetValue(session.Node, out NodeConnection? current) && ReferenceEquals(current, session))
        {
            _joined.Remove(session.Node);
        }

        session.Region?.Remove(session, cause);
        if (!session.IsJoined)
        {
            return;
        }

        Counters.Members--;
        Counters.Failures += cause == RemovalCause.Failed ? 1 : 0;
        Counters.Expulsions += cause == RemovalCause.Expelled ? 1 : 0;
        foreach (PrimaryFrontier frontier in FrontiersOf(session))
        {
            frontier.OnRemoved(session.Record!, cause);
        }

        GmsEventKind kind = cause == RemovalCause.Failed ? GmsEventKind.Failed : cause == RemovalCause.Expelled ? GmsEventKind.Expelled : GmsEventKind.Left;
        Events.Post(kind, session.Record!.Name, reason);
    }

    /// <summary>A node shows the newest signed header it holds, because it claims to be ahead.</summary>
    internal void OnProof(NodeConnection session, Proof proof)
    {
        if (!_byTopic.TryGetValue(proof.Topic, out ApplicationPrimary? primary)
            || !ReleaseHeader.TryDecode(proof.Header.Span, out ReleaseHeader? header)
            || header.Application != primary.Name
            || ReleaseSignature.TryRead(proof.Signature.Span) is not { } signature
            || !_context.Signer.Verify(signature, header.Id))
        {
            Counters.ControlRefused++;
            Events.OnRefused(session.Node, "a proof that is not signed by this cluster");
            session.BringToCommitted(proof.Topic);
            return;
        }

        ReleaseState committed = primary.Committed;
        bool isAhead = header.Generation > committed.Generation
            || (header.Generation == committed.Generation && (header.Release > committed.Release || (header.Release == committed.Release && header.Id != committed.Id)));
        if (!isAhead || _context.Breaks(PlantedHostBugs.IgnoreRestore))
        {
            session.BringToCommitted(proof.Topic);
            return;
        }

        string reason = string.Create(
            CultureInfo.InvariantCulture,
            $"node {session.Node} holds generation {header.Generation} release {header.Release}, signed here; this store has generation {committed.Generation} release {committed.Release}: it was restored from an older copy");
        uint generation = header.Generation;
        if (header.SlotEpoch >= _context.SlotEpoch)
        {
            RaiseEpoch(header.SlotEpoch + 1, () => primary.BeginGeneration(generation, reason));
        }
        else
        {
            primary.BeginGeneration(generation, reason);
        }
    }

    /// <summary>The epoch was persisted before it is used, and counts on at each start: no incarnation is given twice.</summary>
    private ulong NextIncarnation() => ((ulong)_context.SlotEpoch << 32) | checked(++_incarnationCounter);

    private void RaiseEpoch(uint epoch, Action then)
    {
        bool isTaken = _context.Store.Commit(new CommitBatch { SlotEpoch = epoch }, _context.OnCore<CommitResult>(result =>
        {
            if (result.IsDone)
            {
                _context.SlotEpoch = Math.Max(_context.SlotEpoch, epoch);
                then();
            }
            else if (epoch <= _context.SlotEpoch)
            {
                then();
            }
        }));
        if (!isTaken)
        {
            Events.Post(GmsEventKind.StoreFailed, "store", "the slot epoch could not be raised; the node tries again");
        }
    }
}
