using Ripple.Gms.Placement;
using Ripple.Gms.Store;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// The audit on the disk has a line for each change the world knows, in the order of the changes of each application, and no others.
/// </summary>
internal sealed class AuditChecker(SimulatedWorld world, ReleaseModel model)
{
    private const string Name = "Audit";
    private readonly List<AuditLine> _attempted = [];
    private List<AuditLine> _others = [];
    private List<AuditLine> _othersOfCopy = [];

    /// <summary>Called before a change that is no release: whether it becomes durable is not known yet.</summary>
    public void OnAttempted(AuditLine line) => _attempted.Add(line);

    /// <summary>Called for a change that is no release and is durable: an application, a token, a role.</summary>
    public void OnAdministered(AuditLine line)
    {
        _attempted.Remove(line);
        _others.Add(line);
    }

    /// <summary>Called when a copy of the disk is made.</summary>
    public void OnCopied() => _othersOfCopy = [.. _others];

    /// <summary>Called when the copy replaces the disk.</summary>
    /// <param name="isNoticed">Whether the host can tell that its store is a copy; no start says so otherwise.</param>
    public void OnRestored(bool isNoticed)
    {
        _others = [.. _othersOfCopy];
        if (isNoticed)
        {
            // Once more if the host dies between the store and its mark.
            _attempted.AddRange(Enumerable.Repeat(new AuditLine(GmsStart.CopyAction, "host", null, null, null), 2));
        }
    }

    /// <summary>Compares the whole audit, when the model knows the releases on the disk.</summary>
    public void Check(StoreImage disk)
    {
        ArgumentNullException.ThrowIfNull(disk);
        var rest = new List<AuditEntry>(disk.Audit.Where(e => e.Application is null || model.IsJudged(e.Application)));
        foreach (AuditLine line in _others)
        {
            Take(rest, line, 0);
        }

        foreach (AuditLine line in _attempted)
        {
            if (Find(rest, line, 0) is var index and >= 0)
            {
                rest.RemoveAt(index);
            }
        }

        foreach (ApplicationImage application in disk.Applications.Values.Where(a => model.IsJudged(a.Name)))
        {
            int from = 0;
            foreach (AuditLine line in LinesOf(application))
            {
                from = Take(rest, line, from);
            }
        }

        if (rest.Count > 0)
        {
            world.Fail(Name, $"the audit has a line that nobody caused: {rest[0]}");
        }
    }

    private IEnumerable<AuditLine> LinesOf(ApplicationImage application)
    {
        var chain = new Stack<ModelRelease>();
        ModelRelease? release = application.Newest is { } stored ? model.Of(application.Name).Find(stored.Header.Id.ToString()) : null;
        for (; release is not null; release = release.Previous)
        {
            chain.Push(release);
        }

        return chain.Select(r => r.Claim.Publish == Guid.Empty
            ? new AuditLine("application.restore", "host", application.Name, r.Release, null)
            : new AuditLine("release.publish", null, application.Name, r.Release, model.Book.Find(r.Claim.Publish)!.Note));
    }

    /// <summary>Removes the line from the rest; returns where the search for the next one begins.</summary>
    private int Take(List<AuditEntry> rest, AuditLine line, int from)
    {
        int index = Find(rest, line, from);
        if (index < 0)
        {
            world.Fail(Name, $"the audit lacks a line, or has it too early: {line}");
        }

        rest.RemoveAt(index);
        return index;
    }

    private static int Find(List<AuditEntry> rest, AuditLine line, int from) => rest.FindIndex(
        from,
        e => e.Action == line.Action
            && e.Application == line.Application
            && e.Release == line.Release
            && (line.Actor is null || e.Actor == line.Actor)
            && (line.Detail is null || e.Detail == line.Detail)
            && e.Actor.Length > 0);
}
