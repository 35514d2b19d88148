using Ripple.Engine.Core;
using Ripple.Simulator.Clients;
using Ripple.Simulator.Scripts;

namespace Ripple.Simulator.Cluster;

/// <summary>What publishers and forgers do, again and again.</summary>
public sealed partial class SimulatedCluster
{
    private readonly List<DefinitionProgram> _definitions = [];

    /// <summary>Does something again and again; each time is an item of the run's script, by its number.</summary>
    private void Every(
        string name, DeterministicRandom random, long meanNs, long untilNs, Action<int> action, int number = 0)
    {
        if (!World.Script.Place(random, $"{name} {number}"))
        {
            return;
        }

        long delayNs = 1 + random.NextInt64(2 * meanNs);
        if (World.Scheduler.NowNs + delayNs < untilNs)
        {
            World.Scheduler.Schedule(delayNs, () =>
            {
                if (!_calms.IsCalm(World.Scheduler.NowNs))
                {
                    action(number);
                }

                Every(name, random, meanNs, untilNs, action, number + 1);
            });
        }
    }

    private void Publish(SimulatedPublisher publisher, int number)
    {
        // All publishers count on: each has numbers of its own.
        int item = (number * _publishers.Count) + _publishers.IndexOf(publisher);
        if (_fork?.MayPublish() != false && World.Script.Takes(RunItem.Publish, item))
        {
            publisher.Client.Machine.Post(() => publisher.Publish(item));
        }
    }

    /// <summary>
    /// Emits also after the last fault, so that each subscription is shown something then; and ends so early that a host which started with
    /// the last fault is past its grace at the end.
    /// </summary>
    private void BeginEvents(long activeNs)
    {
        if (Events is { } events)
        {
            DeterministicRandom random = World.Random.Fork(32);
            events.Start();
            long untilNs = activeNs + (_options.QuietEndNs / 2);
            Every("emit", random, _options.EmitEveryNs, untilNs, number => events.Emit(random, number));
        }
    }

    private void AskStatus(SimulatedPublisher publisher, DeterministicRandom random, long untilNs)
    {
        World.Scheduler.Schedule(1 + random.NextInt64(2_000_000_000), () =>
        {
            publisher.Client.Machine.Post(publisher.AskStatus);
            if (World.Scheduler.NowNs < untilNs)
            {
                AskStatus(publisher, random, untilNs);
            }
        });
    }

    private void Forge()
    {
        if (Reference.NewestOf(Application) is { } head)
        {
            _forger!.Forge(1, head);
        }
    }

    /// <summary>Lets real publishers change what their applications say about themselves, and real clients follow that.</summary>
    private void ConnectDefinitions()
    {
        if (!_options.ChangesDefinitions)
        {
            return;
        }

        _oracles.Model.IgnoresCompanions = true;
        foreach (ClientPublisher publisher in _publishers.OfType<ClientPublisher>())
        {
            var definitions = new DefinitionProgram(World, publisher.Application);
            _definitions.Add(definitions);
            publisher.Definitions = definitions;
            foreach (SimulatedRippleClient client in _clients.OfType<SimulatedRippleClient>()
                .Where(c => c.Options.Application == publisher.Application))
            {
                client.Monitors.Definitions = definitions;
            }
        }
    }
}
