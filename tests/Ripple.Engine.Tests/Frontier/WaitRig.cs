using Ripple.Engine.Core;
using Ripple.Engine.Frontier;
using Ripple.Engine.Frontier.Predicates;
using Ripple.Engine.Frontier.Waits;

namespace Ripple.Engine.Tests.Frontier;

/// <summary>A frontier on a stepped core, and what its waits said.</summary>
internal sealed class WaitRig
{
    public WaitRig(FrontierTable table, string? zone = null)
    {
        Table = table;
        // Nothing is received here: no need for the usual megabytes of buffers.
        Loop = new CoreLoop(
            new CoreOptions { AlarmsMax = 16, RequestsMax = 2, IoPerClassMax = 1, SlabsPerLane = 1, RefusedTrainsMax = 1 }, 1);
        Frontier = new ApplicationFrontier(table, Loop, zone);
    }

    public FrontierTable Table { get; }

    public CoreLoop Loop { get; }

    public ApplicationFrontier Frontier { get; }

    public List<FrontierWaitResult> Results { get; } = [];

    public List<FrontierWaitProgress> Progress { get; } = [];

    public FrontierRow Row(int index) => Table.Rows[index];

    public FrontierWaitRequest Request(string text, ulong release, long? timeoutNs = null, bool countLeft = false, uint generation = 1) =>
        new()
        {
            Predicate = Tables.Parse(text),
            Generation = generation,
            Release = release,
            TimeoutNs = timeoutNs,
            CountLeft = countLeft,
            OnEnded = (_, result) => Results.Add(result),
            OnProgress = (_, progress) => Progress.Add(progress),
        };

    public FrontierWait Start(string text, ulong release, long? timeoutNs = null, bool countLeft = false, uint generation = 1) =>
        Start(Request(text, release, timeoutNs, countLeft, generation));

    public FrontierWait Start(FrontierWaitRequest request) =>
        Frontier.Waits.TryStart(request, out FrontierWait? wait, out PredicateError? error)
            ? wait
            : throw new InvalidOperationException(error.ToString());

    /// <summary>The end of a turn.</summary>
    public void Evaluate() => Frontier.Look(long.MaxValue);
}
