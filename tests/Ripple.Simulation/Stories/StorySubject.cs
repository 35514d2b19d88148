using Ripple.Simulation.Runs;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Stories;

/// <summary>
/// What a violation is about, with what belongs to it in a trace: the publishes of its releases and the releases of its publishes.
/// </summary>
internal sealed class StorySubject
{
    private readonly SortedSet<string> _releases = new(StringComparer.Ordinal);
    private readonly SortedSet<Guid> _publishes = [];
    private readonly SortedSet<string> _waits;

    /// <summary>Finds the subject of a violation in the trace of its run.</summary>
    public StorySubject(TraceLog trace, RunResult result)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(result);
        ViolationSubject subject = result.Subject;
        Labels = [.. subject.Releases];
        Machines = [.. MachinesOf(trace, result)];
        _releases.UnionWith(subject.Releases.Select(r => r.Name));
        _publishes.UnionWith(subject.Publishes);
        _waits = new SortedSet<string>(subject.Waits, StringComparer.Ordinal);
        bool hasPublishes = _publishes.Count > 0;
        foreach (TraceEvent happened in trace.Events.Where(e => e.Kind == TraceKind.Committed))
        {
            if (hasPublishes && happened.Publish is { } of && _publishes.Contains(of))
            {
                _releases.Add(happened.Release!.Value.Name);
            }
            else if (_releases.Contains(happened.Release!.Value.Name) && happened.Publish is { } made && made != Guid.Empty)
            {
                _publishes.Add(made);
            }
        }
    }

    /// <summary>The machines it is about.</summary>
    public IReadOnlyList<SimulatedMachine> Machines { get; }

    /// <summary>The releases that the violation itself names.</summary>
    public IReadOnlyList<ReleaseLabel> Labels { get; }

    /// <summary>True if it is about a release, a publish or a wait.</summary>
    public bool HasMatter => _releases.Count + _publishes.Count + _waits.Count > 0;

    /// <summary>Whether an event is about one of the releases, publishes or waits.</summary>
    public bool IsMatter(TraceEvent happened)
    {
        ArgumentNullException.ThrowIfNull(happened);
        return happened.Wait is { } wait && _waits.Count > 0
            ? _waits.Contains(wait)
            : (happened.Release is { } release && _releases.Contains(release.Name))
                || (happened.Publish is { } publish && _publishes.Contains(publish));
    }

    /// <summary>The machines that the violation names; where none is, those whose names are words of its message.</summary>
    private static IEnumerable<SimulatedMachine> MachinesOf(TraceLog trace, RunResult result)
    {
        IReadOnlyList<SimulatedMachine> all = trace.World?.Machines ?? [];
        IReadOnlyList<string> names = result.Subject.Machines;
        if (names.Count == 0 && !result.Subject.IsEmpty)
        {
            return [];
        }

        names = names.Count > 0 ? names : result.Violation!.Split('\n')[0].Split([' ', ',', ';', '(', ')', ':']);
        return all.Where(m => names.Contains(m.Name));
    }
}
