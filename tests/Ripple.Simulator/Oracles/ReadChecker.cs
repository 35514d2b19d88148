using Ripple.Client;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// The answer to a read, or to a question for the history, was true at some moment between question and answer: the value of a key is the
/// one that the release has, and a history is the chain of releases, each with its note and its keys.
/// </summary>
/// <param name="world">The world.</param>
/// <param name="model">The releases.</param>
/// <param name="releasesKept">How many newest releases of an application can be read in any case; older ones may be gone.</param>
internal sealed class ReadChecker(SimulatedWorld world, ReleaseModel model, ulong releasesKept)
{
    private const string Name = "Reads";

    /// <summary>Called with the value of a key; null if the host says that there is no such key or release.</summary>
    public void OnRead(ReadQuestion question, uint generation, ulong release, ReadOnlyMemory<byte>? value)
    {
        ArgumentNullException.ThrowIfNull(question);
        List<ModelRelease?> newest = [.. model.Of(question.Application).NewestWithin(question.AskedNs, world.Scheduler.NowNs)];
        List<ModelRelease?> asked = [.. newest.Select(n => question.Release is { } at ? n?.At(at) : n)];
        if (value is null)
        {
            bool mayBeGone = newest.Exists(n => n?.LeavesBehind(question.Release, releasesKept) == true);
            if (!mayBeGone && asked.TrueForAll(r => r?.Content.ContainsKey(question.Key) == true))
            {
                world.Fail(Name, $"{Text(question)} found nothing; {asked[0]} has it");
            }
        }
        else if (!asked.Exists(r => r is not null
            && r.Generation == generation
            && r.Release == release
            && r.Content.TryGetValue(question.Key, out byte[]? bytes)
            && bytes.AsSpan().SequenceEqual(value.Value.Span)))
        {
            world.Fail(
                Name,
                $"{Text(question)} found {value.Value.Length} bytes in {generation}/{release}; what was asked for was then "
                    + string.Join(", ", asked.Select(r => $"{r?.ToString() ?? "nothing"} with {LengthIn(r, question.Key)}")));
        }
    }

    /// <summary>Called with a point of a monitor: nobody can have what was never released.</summary>
    public void OnPoint(string application, FrontierPoint point)
    {
        ArgumentNullException.ThrowIfNull(point);
        if (point.Release > 0 && model.Of(application).FirstOf(point.Generation, point.Release) is null)
        {
            world.Fail(Name, $"a monitor of {application} delivered {point}, and there is no such release");
        }
    }

    /// <summary>Called with the first releases of a history, newest first.</summary>
    public void OnHistory(string application, long askedNs, IReadOnlyList<HistoryLine> lines)
    {
        ArgumentNullException.ThrowIfNull(lines);
        ApplicationModel releases = model.Of(application);
        List<ModelRelease?> newest = [.. releases.NewestWithin(askedNs, world.Scheduler.NowNs)];
        if (lines.Count == 0)
        {
            if (newest.TrueForAll(n => n is not null))
            {
                world.Fail(Name, $"the history of {application} is empty; the newest release is {newest[0]}");
            }

            return;
        }

        // A host may show a release that is on its disk and announced a moment later.
        ModelRelease? first = releases.Find(lines[0].Name);
        if (first is null || !newest.Exists(n => n is null || first.At(n.Release)?.Name == n.Name))
        {
            world.Fail(Name, $"the history of {application} begins with {lines[0]}; the newest release is {newest[0]}");
        }

        ModelRelease? expected = first;
        foreach (HistoryLine line in lines)
        {
            if (expected is null || expected.Name != line.Name)
            {
                // A restore between two pages of the history brings another chain.
                if (releases.Newest is { } now && first is not null && (now.At(first.Release) ?? first).Name == first.Name)
                {
                    world.Fail(Name, $"the history of {application} has {line} where {expected?.ToString() ?? "nothing"} belongs");
                }

                return;
            }

            Judge(application, expected, line);
            expected = expected.Previous;
        }
    }

    /// <summary>
    /// Called with each release that a watch of every release delivers, and the one it delivered before; null for the first.
    /// </summary>
    public void OnWatched(string application, HistoryLine? before, HistoryLine line)
    {
        ArgumentNullException.ThrowIfNull(line);
        ApplicationModel releases = model.Of(application);
        if (releases.Find(line.Name) is not { } release)
        {
            // On the disk of the host, and announced a moment later.
            return;
        }

        Judge(application, release, line);
        if (before is null || release.Previous?.Name == before.Name)
        {
            return;
        }

        bool isLater = (line.Generation, line.Release).CompareTo((before.Generation, before.Release)) > 0;
        // A restore put others in place of those that it delivered last.
        ModelRelease? previous = release.Previous;
        bool isRestored = previous is null || (previous.Generation, previous.Release).CompareTo((before.Generation, before.Release)) < 0;
        bool mayBeGone = releases.Newest?.LeavesBehind(release.Release - 1, releasesKept) == true;
        if (!isLater || !(mayBeGone || (isRestored && line.Generation > before.Generation)))
        {
            world.Fail(Name, $"a watch of every release of {application} has {line} after {before}; between them is {previous}", release);
        }
    }

    private static string Text(ReadQuestion question) =>
        $"a read of {question.Key} of {question.Application} at {question.Release?.ToString() ?? "the newest"}";

    private static string LengthIn(ModelRelease? release, string key) =>
        release?.Content.TryGetValue(key, out byte[]? bytes) == true ? $"{bytes.Length} bytes" : "no such key";

    private void Judge(string application, ModelRelease release, HistoryLine line)
    {
        if (line.Generation != release.Generation || line.Release != release.Release)
        {
            world.Fail(Name, $"the history of {application} has {line}, which is {release}");
        }

        if (release.Claim.Publish == Guid.Empty || model.Book.Find(release.Claim.Publish) is not { } intent)
        {
            return;
        }

        if (line.Note != intent.Note)
        {
            world.Fail(Name, $"the history of {application} says that {release} has the note '{line.Note}'; it was '{intent.Note}'");
        }

        string? stranger = line.Keys.FirstOrDefault(k => intent.RollbackTo is null && !intent.Changes.ContainsKey(k));
        if (stranger is not null)
        {
            world.Fail(Name, $"the history of {application} says that {release} changed {stranger}, which its publish does not name");
        }
    }
}
