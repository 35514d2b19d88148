using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Oracles.Predicates;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// The world's model of one cluster, and the checkers that ask it. Connects both to the cluster's host, clients and publisher.
/// </summary>
internal sealed class ClusterOracles
{
    private readonly EffectChecker _effects;
    private readonly DurabilityChecker _durability;
    private readonly WaitChecker _waits;
    private readonly AnswerChecker _answers;
    private readonly StatusChecker _status;
    private readonly ReadChecker _reads;
    private readonly SimulatedHost _host;

    /// <summary>Creates the model and connects it.</summary>
    public ClusterOracles(
        SimulatedWorld world,
        SimulatedHost host,
        IReadOnlyList<SimulatedClient> clients,
        IReadOnlyList<SimulatedPublisher> publishers,
        Judges judges)
    {
        ArgumentNullException.ThrowIfNull(host);
        ArgumentNullException.ThrowIfNull(clients);
        ArgumentNullException.ThrowIfNull(publishers);
        Judges = judges;
        _host = host;
        Model = new ReleaseModel(world, new PublishBook(), judges);
        Members = new MembershipBook(world, host.Machine, () => host.Gms?.Incarnation);
        _durability = new DurabilityChecker(world, Model);
        _answers = new AnswerChecker(world, Model, judges);
        _waits = new WaitChecker(world, Model, Members, judges, host.Options.Limits.CommitsKept);
        _status = new StatusChecker(world, Model, Members, judges);
        ReleasesKept = KeptBy(host.Options);
        _reads = new ReadChecker(world, Model, ReleasesKept);
        Audit = new AuditChecker(world, Model);
        Revocations = new RevocationChecker(world, Members);
        world.Add(Revocations);
        _effects = new EffectChecker(world, Model, judges);
        foreach (SimulatedClient client in clients)
        {
            if (client is SimulatedRippleClient real)
            {
                real.OnHistoryWatched = (before, entry) => _reads.OnWatched(real.Options.Application, before, entry);
                real.Monitors.OnPoint = point => _reads.OnPoint(real.Options.Application, point);
            }

            foreach (string application in client.Applications)
            {
                var record = new NodeRecord(client.Machine, application, client.VerdictOn)
                {
                    HasFailedToStart = () => client.HasFailedToStart,
                    Wants = key => client.Wants(application, key),
                    Member = new PredicateMember(client.Machine.Name, client.Options.Zone, false, client.Options.Labels),
                };
                var witness = new NodeWitness(world, record, _effects, Members);
                client.Show(witness);
                client.Machine.Add(witness);
                if (!client.Machine.IsAbsent)
                {
                    Members.Add(record);
                }
            }
        }

        host.OnLoaded = disk =>
        {
            foreach (Disks.ApplicationImage application in disk.Applications.Values.Where(a => Model.IsJudged(a.Name)))
            {
                Model.OnStarted(application.Name, application.Newest?.Header.Id.ToString());
            }

            _durability.OnLoaded(disk);
            Audit.Check(disk);
        };
        host.OnFound = header =>
        {
            if (Model.IsJudged(header.Application))
            {
                Model.OnFound(ReleaseClaim.Of(header));
            }
        };
        foreach (SimulatedPublisher publisher in publishers)
        {
            Connect(publisher);
        }
    }

    /// <summary>What is judged besides the usual.</summary>
    public Judges Judges { get; }

    /// <inheritdoc cref="EffectChecker.PastCount"/>
    public long PastCount => _effects.PastCount;

    /// <summary>How many newest releases of an application the host keeps in any case.</summary>
    public ulong ReleasesKept { get; }

    /// <summary>The releases.</summary>
    public ReleaseModel Model { get; }

    /// <summary>The nodes and who was a member when.</summary>
    public MembershipBook Members { get; }

    /// <summary>The audit.</summary>
    public AuditChecker Audit { get; }

    /// <summary>What became of those whose tokens were revoked.</summary>
    public RevocationChecker Revocations { get; }

    /// <summary>Called when the host announces a release.</summary>
    public void OnCommitted(ReleaseHeader header)
    {
        ModelRelease release = Model.OnCommitted(ReleaseClaim.Of(header));
        _durability.OnCommitted(release);
        Members.OnCommitted(release);
    }

    /// <summary>Called when a copy of the host's disk is made.</summary>
    public void OnCopied()
    {
        _durability.OnCopied();
        Audit.OnCopied();
        Revocations.OnCopied();
    }

    /// <summary>Called when the copy replaces the disk.</summary>
    /// <param name="isNoticed">Whether the host can tell that its store is a copy.</param>
    public void OnRestored(bool isNoticed)
    {
        _durability.OnRestored();
        Audit.OnRestored(isNoticed);
        Revocations.OnRestored();
    }

    /// <summary>Called when the run is over and nothing is under way.</summary>
    public void CheckEnd()
    {
        _durability.OnLoaded(_host.Disk.Image);
        Audit.Check(_host.Disk.Image);
    }

    /// <summary>What a node lacks of the newest release; null if it is joined, has it, and has it in effect or rejected it.</summary>
    public string? Missing(NodeRecord node)
    {
        ArgumentNullException.ThrowIfNull(node);
        ModelRelease? newest = Model.Of(node.Application).Newest;
        if (!node.IsAlive || node.Session is null)
        {
            bool isForNothing = newest is not null && node.HasFailedToStart() && node.HasRejected(newest.Generation, newest.Release);
            return isForNothing ? null : $"{node} is not joined";
        }

        if (newest is null || node.At(NodeLevel.Applied)?.Name == newest.Name)
        {
            return null;
        }

        if (node.At(NodeLevel.Received)?.Name != newest.Name)
        {
            return $"{node} has {node.At(NodeLevel.Received)}, and the newest is {newest}";
        }

        return node.HasRejected(newest.Generation, newest.Release) ? null : $"{node} has {newest} and does not decide on it";
    }

    /// <summary>What <see cref="Missing"/> is about: the node, the newest release, and the first one that the node lacks.</summary>
    public IEnumerable<object?> AboutMissing(NodeRecord node)
    {
        ArgumentNullException.ThrowIfNull(node);
        ModelRelease? newest = Model.Of(node.Application).Newest;
        ulong has = node.At(NodeLevel.Received) is { } received && received.Generation == newest?.Generation ? received.Release : 0;
        return [node, newest, newest?.At(has + 1)];
    }

    /// <summary>The bytes of the newest release if a node lacks it: as many as it may have to fetch.</summary>
    public long MissingBytes(NodeRecord node)
    {
        ArgumentNullException.ThrowIfNull(node);
        ModelRelease? newest = Model.Of(node.Application).Newest;
        return newest is null || node.At(NodeLevel.Received)?.Name == newest.Name
            ? 0
            : newest.Content.Where(v => node.Wants(v.Key)).Sum(v => (long)v.Value.Length);
    }

    /// <summary>What the options promise; by age anything may go that waits and nodes do not need.</summary>
    private static ulong KeptBy(GmsOptions options) =>
        options.HistoryAgeNsMax is not null ? (ulong)options.Limits.CommitsKept
        : options.HistoryReleasesMax is { } max ? (ulong)Math.Max(max, options.Limits.CommitsKept)
        : ulong.MaxValue;

    private void Connect(SimulatedPublisher publisher)
    {
        publisher.OnAsked = intent =>
        {
            Members.OnAsked(intent.Id);
            return _answers.OnAsked(intent);
        };
        publisher.OnAnswered = _answers.OnAnswered;
        publisher.OnWaitSent = _waits.OnSent;
        publisher.OnWaitAnswered = OnWaitAnswered;
        publisher.OnStatus = (askedNs, generation, newest, rows) =>
            _status.OnAnswered(publisher.Application, askedNs, generation, newest, rows);
        publisher.OnRead = _reads.OnRead;
        publisher.OnHistory = (askedNs, lines) => _reads.OnHistory(publisher.Application, askedNs, lines);
        publisher.FindRelease = name => Model.Of(publisher.Application).Find(name);
        publisher.AsksWaitsAgain = (Judges & Judges.WaitsOverRestarts) != 0;
        publisher.Client.OnJoined = publisher.AskWaitsAgain;
    }

    private void OnWaitAnswered(WaitQuestion question, WaitResult? answer)
    {
        if (answer is null)
        {
            _waits.OnLost(question);
        }
        else
        {
            _waits.OnAnswered(question, answer);
        }
    }
}
