using System.Text;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms;
using Ripple.Gms.Calls;
using Ripple.Gms.Core;
using Ripple.Gms.Publishing;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Oracles;
using Ripple.Simulator.Oracles.Events;
using Ripple.Simulator.Scripts;

namespace Ripple.Simulator.Cluster.Events;

/// <summary>
/// Events in a cluster: sets the space, as an administrator does, and has the programs of all real clients emit; those of nodes subscribe.
/// </summary>
internal sealed class EventTraffic
{
    private const string Actor = "administrator of events";
    private const long SpaceNs = 500_000_000;
    private const long AgainNs = 3_000_000_000;
    private const long ReadNs = 1_000_000_000;
    private readonly SimulatedCluster _cluster;
    private readonly List<EventProgram> _programs = [];
    private readonly PublishIntent _space;

    /// <summary>Connects the programs; nothing runs yet.</summary>
    /// <param name="cluster">The cluster, whose publishers are real clients.</param>
    /// <param name="rules">What may happen to events.</param>
    public EventTraffic(SimulatedCluster cluster, EventRules rules)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        _cluster = cluster;
        Book = new EventChecker(cluster.World, cluster.Host.Machine, rules);
        foreach (SimulatedRippleClient client in cluster.Clients.OfType<SimulatedRippleClient>())
        {
            _programs.Add(new EventProgram(cluster.World, client, Book, subscribes: true));
        }

        foreach (SimulatedRippleClient client in cluster.Publishers.Select(p => p.Client).OfType<SimulatedRippleClient>())
        {
            _programs.Add(new EventProgram(cluster.World, client, Book, subscribes: false));
        }

        _space = new PublishIntent(
            new Guid(36, 0, 0, new byte[8]),
            CompanionName.Of(SimulatedCluster.Application),
            PublishIntent.NoChanges.Add("space", Encoding.UTF8.GetBytes(EventBox.Space)),
            ExpectedState.Any,
            null,
            null,
            "space");
    }

    /// <summary>The world's book.</summary>
    public EventChecker Book { get; }

    /// <summary>The host's options and what may happen under them, by the seed: room for all, little room, or few that are kept.</summary>
    public static (GmsEventOptions Options, EventRules Rules) OptionsOf(ulong seed) => (seed % 4) switch
    {
        0 => (new GmsEventOptions { QueueEventsMax = 6, WindowEventsMax = 3 }, new EventRules(MayDrop: true)),
        1 => (new GmsEventOptions { KeptEventsMax = 8, WindowEventsMax = 8 }, new EventRules(MayDrop: false)),
        2 => (new GmsEventOptions { WindowBytesMax = 60_000 }, new EventRules(MayDrop: false)),
        _ => (new GmsEventOptions(), new EventRules(MayDrop: false)),
    };

    /// <summary>Begins: the space is set as soon as the host runs, and again until that was answered.</summary>
    public void Start() => _cluster.World.Scheduler.Schedule(SpaceNs, SetSpace);

    /// <summary>An older copy of the disk replaces it, which may be without the space.</summary>
    public void OnRestored()
    {
        Book.OnSpace(false);
        Start();
    }

    /// <summary>One of the programs emits.</summary>
    public void Emit(DeterministicRandom random, int number)
    {
        ArgumentNullException.ThrowIfNull(random);
        EventProgram program = _programs[random.NextInt32(_programs.Count)];
        if (program.Client.Client is not null && _cluster.World.Script.Takes(RunItem.Publish, $"emit-{number}"))
        {
            program.Emit(number);
        }
    }

    private void SetSpace()
    {
        if (Book.SpaceSinceNs is not null)
        {
            return;
        }

        if (_cluster.Host.Gms is { } gms)
        {
            int life = _cluster.Host.Machine.StartCount;
            _cluster.Host.Machine.Post(() => SetSpace(gms, life));
        }

        // The host may have died with the question; the same publish again does no harm.
        _cluster.World.Scheduler.Schedule(AgainNs, SetSpace);
    }

    /// <summary>As through the host's HTTP interface. On the host's core.</summary>
    private void SetSpace(HostCore gms, int life)
    {
        SimulatedPublisher publisher = _cluster.Publisher;
        var caller = new Caller(ClusterTokens.Admin, Actor);
        var input = new PublishInput(
            _space.Application,
            _space.Id,
            _space.Expected,
            _space.Note,
            [.. _space.Changes.Select(c => new PublishInputKey(c.Key, c.Value))]);
        if (gms.Calls.Publishing.TryBegin(caller, input.Application, input.ValueBytes, input.HeadBytes, out _) is not { } lease)
        {
            return;
        }

        PublishAsk ask = publisher.OnAsked(_space);
        _cluster.Oracles.Audit.OnAttempted(new AuditLine("application.create", Actor, _space.Application, null, null));
        gms.Calls.Publishing.Publish(caller, input, lease, () => { }, answer =>
        {
            publisher.OnAnswered(
                ask, new PublishResult(0, answer.Code, answer.Text, answer.Generation, answer.Release, answer.Id));
            if (answer.Code == ErrorCode.None)
            {
                // The definitions are read behind the commit.
                _cluster.World.Scheduler.Schedule(ReadNs, () => Book.OnSpace(_cluster.Host.Machine.StartCount == life));
            }
        });
    }
}
