using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Testing.Oracles;
using Ripple.Testing.Oracles.Predicates;

namespace Ripple.Testing.Cluster;

/// <summary>Waits for proofs, and asks for the status.</summary>
internal partial class SimulatedPublisher
{
    private const long WaitNs = 10_000_000_000;
    private readonly List<WaitQuestion> _waitsLost = [];

    /// <summary>The number of ended waits, by outcome.</summary>
    public long[] WaitOutcomes { get; } = new long[3];

    /// <summary>Whether all its waits ask for direct evidence, as where members may lie. Default false.</summary>
    public bool WaitsDirectly { get; init; }

    /// <summary>Called when a wait is sent.</summary>
    public Action<WaitQuestion> OnWaitSent { get; set; } = _ => { };

    /// <summary>Called with the answer to a wait; null when the connection was lost before it.</summary>
    public Action<WaitQuestion, WaitResult?> OnWaitAnswered { get; set; } = (_, _) => { };

    /// <summary>Called with a whole status: when it was asked for, the generation and number of the newest release, and the rows.</summary>
    public Action<long, uint, ulong, IReadOnlyList<StatusRow>> OnStatus { get; set; } = (_, _, _, _) => { };

    /// <summary>The share of waits that are given no time at all, which ask what holds now. Default 0.</summary>
    public double NoTimeShare { get; set; }

    /// <summary>Whether it asks how far its waits are, if it can. Default false.</summary>
    public bool HasProgress { get; set; }

    /// <summary>Whether every third of its waits, if it can, has so little time that many time out. Default false.</summary>
    public bool HasShortWaits { get; set; }

    /// <summary>Draws the predicate of the next wait; null for those of all nodes.</summary>
    public Func<OperatorTerm>? NextPredicate { get; set; }

    /// <summary>Finds the release that a publisher was told of.</summary>
    public Func<string, ModelRelease?> FindRelease { get; set; } = _ => null;

    /// <summary>True to ask again for waits whose connection was lost, as the real client does. Default false.</summary>
    public bool AsksWaitsAgain { get; set; }

    /// <summary>Asks again for the waits whose connection was lost. On the core of the client's machine, when it has joined.</summary>
    public void AskWaitsAgain()
    {
        WaitQuestion[] lost = [.. _waitsLost.Where(q => q.AskerLife == Client.Machine.StartCount && q.DeadlineNs > _world.Scheduler.NowNs)];
        _waitsLost.Clear();
        foreach (WaitQuestion question in lost)
        {
            Send(Client.Node!, question);
        }
    }

    /// <summary>Asks who has what. On the core of the client's machine.</summary>
    public void AskStatus()
    {
        if (!Client.Machine.IsRunning || Client.Node is not { Link: { } link } node)
        {
            return;
        }

        long askedNs = _world.Scheduler.NowNs;
        var rows = new List<StatusRow>();
        uint call = 0;
        call = node.Calls.Register(answer =>
        {
            if (answer is StatusResult { Code: ErrorCode.None } page)
            {
                rows.AddRange(page.Rows);
                if (page.IsLast)
                {
                    node.Calls.Complete(call);
                    OnStatus(askedNs, page.Generation, page.Release, rows);
                }
            }
        });
        if (call != 0 && !link.TrySend(new Status(call, Application)))
        {
            node.Calls.Complete(call);
        }
    }

    private void Wait(Ripple.Engine.Nodes.Node node, PublishResult acknowledged)
    {
        if (node.Link is null)
        {
            return;
        }

        OperatorTerm term = NextPredicate?.Invoke() ?? OperatorTerm.AllApplied(isDirect: !_random.NextBool(0.5) || WaitsDirectly);
        if (FindRelease(acknowledged.Id.ToString()) is not { } release)
        {
            return;
        }

        long nowNs = _world.Scheduler.NowNs;
        Send(node, new WaitQuestion
        {
            Release = release,
            Term = term,
            Asker = Client.Machine,
            AskerLife = Client.Machine.StartCount,
            AskedNs = nowNs,
            DeadlineNs = nowNs + WaitNs,
        });
    }

    private void Send(Ripple.Engine.Nodes.Node node, WaitQuestion question)
    {
        uint call = 0;
        call = node.Calls.Register(answer => OnWaitAnswer(node, call, question, answer));
        if (call == 0 || node.Link is not { } link)
        {
            return;
        }

        uint timeoutMs = (uint)Math.Max(1, (question.DeadlineNs - _world.Scheduler.NowNs) / 1_000_000);
        ModelRelease release = question.Release;
        var wait = new Wait(call, Application, release.Generation, release.Release, question.Predicate, timeoutMs, false);
        if (link.TrySend(wait))
        {
            OnWaitSent(question);
        }
        else
        {
            node.Calls.Complete(call);
        }
    }

    private void OnWaitAnswer(Ripple.Engine.Nodes.Node node, uint call, WaitQuestion question, object? answer)
    {
        if (answer is not (WaitResult or null))
        {
            return;
        }

        node.Calls.Complete(call);
        var result = answer as WaitResult;
        OnWaitAnswered(question, result);
        if (result is { Code: ErrorCode.None })
        {
            WaitOutcomes[result.Outcome]++;
        }
        else if (AsksWaitsAgain && result is null)
        {
            _waitsLost.Add(question);
        }
    }
}
