using Ripple.Admin.Contracts;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Frontier;

/// <summary>
/// The rows of an application's externals: what is no process of Ripple's, a pipeline or a test bench, and reports levels of the
/// application's own. They are no members: no release is published with them, and no list of members has them. Core thread.
/// </summary>
internal sealed class FrontierExternals
{
    /// <summary>The most externals of an application.</summary>
    public const int CountMax = 8;

    private readonly List<FrontierRow> _rows = [];
    private ulong _last;

    /// <summary>The rows, in the order of names.</summary>
    public IReadOnlyList<FrontierRow> Rows => _rows;

    /// <summary>
    /// Takes over which externals there are; whether that changed anything. One that comes again gets a new row: a wait may hold the old.
    /// </summary>
    public bool Set(FrontierTable table, IReadOnlyCollection<string> names)
    {
        FrontierRow[] removed = [.. _rows.Where(r => !names.Contains(r.Member.Name))];
        string[] added = [.. names.Except(_rows.Select(r => r.Member.Name))];
        foreach (FrontierRow row in removed)
        {
            row.Status = MemberStatus.Left;
            _rows.Remove(row);
        }

        _rows.AddRange(added.Select(name => new FrontierRow(table, Member(name, ++_last))));
        _rows.Sort((a, b) => string.CompareOrdinal(a.Member.Name, b.Member.Name));
        return removed.Length + added.Length > 0;
    }

    /// <summary>Its id means nothing outside of its table: it is below those that nodes draw, and above the host's.</summary>
    private static FrontierMember Member(string name, ulong number) =>
        new() { Node = new NodeId(0, (1UL << 32) + number), Incarnation = 0, Name = name, Zone = string.Empty, IsExternal = true };
}

/// <summary>How far an external has come with a level of the application's own. Immutable.</summary>
/// <param name="External">The external.</param>
/// <param name="Level">The level.</param>
/// <param name="Generation">The generation of the release that it reported.</param>
/// <param name="Release">The release; it has all before it in that generation.</param>
internal sealed record ExternalReport(string External, string Level, uint Generation, ulong Release)
{
    /// <summary>The release in words: what a report's value is.</summary>
    public string Text => new ReleaseNumber(Generation, Release).ToString();

    /// <summary>Reads a report's value; null if it is none.</summary>
    public static ExternalReport? TryRead(string external, string level, string text) =>
        ReleaseNumber.TryParse(text, out ReleaseNumber reached)
        && reached is { Generation: { } generation, Release: > 0 }
        && reached.ToString() == text
            ? new ExternalReport(external, level, generation, reached.Release)
            : null;

    /// <summary>Whether it says no more than another of the same external and level.</summary>
    public bool IsWithin(ExternalReport other) => (Generation, Release).CompareTo((other.Generation, other.Release)) <= 0;
}
