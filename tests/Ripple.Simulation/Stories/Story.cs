using System.Globalization;
using System.Text;
using Ripple.Engine.Links;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Stories;

/// <summary>
/// The shortest story of a violation: of all events of the run those that touch the release, node or wait in question, from the moment the
/// matter began.
/// </summary>
internal sealed class Story
{
    /// <summary>The most lines of a story; those in the middle are left out.</summary>
    public const int LinesMax = 90;

    private const int FirstLines = 30;
    private const long LookBackNs = 5_000_000_000;
    private readonly TraceLog _trace;
    private readonly RunResult _result;
    private readonly StorySubject _subject;
    private readonly long _fromNs;

    private Story(TraceLog trace, RunResult result)
    {
        _trace = trace;
        _result = result;
        _subject = new StorySubject(trace, result);
        _fromNs = StartOf();
    }

    /// <summary>The story of a violation, of several lines; empty where the run was not traced.</summary>
    public static string Of(TraceLog trace, RunResult result)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(result);
        return trace.World is null || result.Violation is null ? string.Empty : new Story(trace, result).Tell();
    }

    private static string Seconds(long ns) =>
        string.Create(CultureInfo.InvariantCulture, $"{ns / 1_000_000_000}.{ns / 1_000 % 1_000_000:D6} s");

    private static bool IsOfProcess(TraceKind kind) => kind is TraceKind.Started or TraceKind.Crashed or TraceKind.Ready
        or TraceKind.Joined or TraceKind.Disconnected or TraceKind.CatchUp or TraceKind.Snapshot;

    private static bool IsOfNode(TraceKind kind) => kind is >= TraceKind.Received and <= TraceKind.Snapshot;

    private static bool IsOfState(TraceKind kind) =>
        kind is TraceKind.Started or TraceKind.Crashed or TraceKind.Joined or TraceKind.Disconnected;

    private static bool IsHost(SimulatedMachine machine) => machine.Peer.Kind == LinkPeerKind.Host;

    private string Tell()
    {
        List<TraceEvent> chosen = [.. _trace.Events.Where(IsTold)];
        chosen.InsertRange(0, Before());
        List<string> lines = Merge(chosen);
        var text = new StringBuilder();
        string counts = string.Create(CultureInfo.InvariantCulture, $"{chosen.Count} of {_trace.Events.Count} events");
        text.AppendLine(CultureInfo.InvariantCulture, $"story of seed {_result.Seed}: {Subject()}; {counts}");
        int left = Math.Max(0, lines.Count - LinesMax);
        for (int i = 0; i < lines.Count; i++)
        {
            if (left > 0 && i == FirstLines)
            {
                text.AppendLine(CultureInfo.InvariantCulture, $"  ... {left} more ...");
                i += left;
            }

            text.AppendLine(lines[i]);
        }

        string what = _result.Violation!.Split('\n')[0];
        text.AppendLine(CultureInfo.InvariantCulture, $"  {Seconds(_result.SimulatedNs),14}  {what}");
        return text.ToString();
    }

    private string Subject()
    {
        IEnumerable<string> parts = _subject.Machines.Select(m => m.Name)
            .Concat(_subject.Labels.Select(r => $"release {r}"))
            .Concat(_result.Subject.Publishes.Select(p => $"publish {p}"))
            .Concat(_result.Subject.Waits.Select(w => $"wait {w}"));
        return string.Join(", ", parts.DefaultIfEmpty("nothing in particular"));
    }

    /// <summary>The first event of the releases, publishes and waits; without any, some time before the end.</summary>
    private long StartOf()
    {
        long lookBackNs = Math.Max(0, _result.SimulatedNs - LookBackNs);
        return _subject.HasMatter ? _trace.Events.FirstOrDefault(_subject.IsMatter)?.Ns ?? lookBackNs : lookBackNs;
    }

    private bool IsTold(TraceEvent happened)
    {
        if (happened.Kind is TraceKind.Copied or TraceKind.Restored)
        {
            return true;
        }

        if (happened.EndNs < _fromNs)
        {
            return false;
        }

        if (happened.Kind == TraceKind.Fault)
        {
            return happened.Machines.Count == 0 || happened.Machines.Any(m => IsHost(m) || _subject.Machines.Contains(m));
        }

        bool isOfSubject = happened.Machines.Any(_subject.Machines.Contains);
        if (happened.Kind == TraceKind.Noted)
        {
            return isOfSubject || happened.Machines.Any(IsHost);
        }

        if (_subject.IsMatter(happened))
        {
            return !IsOfNode(happened.Kind)
                || isOfSubject
                || happened.Kind == TraceKind.Applied
                || (_subject.Machines.Count == 0 && happened.Kind == TraceKind.Rejected);
        }

        return IsOfProcess(happened.Kind) && (isOfSubject || happened.Machines.Any(IsHost));
    }

    /// <summary>How each machine of the subject came into the state in which the story finds it.</summary>
    private IEnumerable<TraceEvent> Before() => _subject.Machines
        .Select(m => _trace.Events.LastOrDefault(e => e.Ns < _fromNs && IsOfState(e.Kind) && e.Machines.Contains(m)))
        .OfType<TraceEvent>()
        .OrderBy(e => e.Ns);

    /// <summary>One line for each event; one for the same again and again, or at several nodes of which the violation names none.</summary>
    private List<string> Merge(List<TraceEvent> events)
    {
        var lines = new List<string>();
        var told = new HashSet<TraceEvent>(ReferenceEqualityComparer.Instance);
        for (int i = 0; i < events.Count; i++)
        {
            TraceEvent first = events[i];
            if (!told.Add(first))
            {
                continue;
            }

            bool isOfOthers = IsOfNode(first.Kind) && !first.Machines.Any(_subject.Machines.Contains);
            List<TraceEvent> same = isOfOthers
                ? [.. events.Skip(i).Where(e => e.Text == first.Text && !e.Machines.Any(_subject.Machines.Contains))]
                : [.. events.Skip(i).TakeWhile(e => e.Text == first.Text && e.Machines.SequenceEqual(first.Machines))];
            told.UnionWith(same);
            lines.Add(LineOf(first, same, isOfOthers));
        }

        return lines;
    }

    private string LineOf(TraceEvent first, List<TraceEvent> same, bool isOfOthers)
    {
        // A fault says itself whom it befalls.
        string who = first.Kind == TraceKind.Fault || first.Machines.Count == 0 ? "-" : first.Machines[0].Name;
        string until = first.EndNs > first.Ns ? $", until {Seconds(Math.Min(first.EndNs, _result.SimulatedNs))}" : string.Empty;
        string again = same.Count == 1 ? string.Empty : $" ({same.Count} times until {Seconds(same[^1].Ns)})";
        if (isOfOthers && same.Count > 1)
        {
            again = $" (and {same.Count - 1} more, until {Seconds(same[^1].Ns)})";
        }

        return string.Create(CultureInfo.InvariantCulture, $"  {Seconds(first.Ns),14}  {who,-10} {first.Text}{until}{again}");
    }
}
