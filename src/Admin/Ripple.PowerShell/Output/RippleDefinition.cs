using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>What an application says about itself: a predicate, a level, an area or an external.</summary>
public sealed class RippleDefinition
{
    internal RippleDefinition(string application, DefinitionKind kind, string name, string text)
    {
        Application = application;
        Kind = kind;
        Name = name;
        Text = text;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>What it defines.</summary>
    public DefinitionKind Kind { get; }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>The predicate, what a level or an external is, or the zones of an area with commas between.</summary>
    public string Text { get; }

    /// <summary>Of a predicate: its version, which grows when it becomes another; null for others.</summary>
    public ulong? Version { get; init; }

    /// <summary>Of an external: how far it has come, by level, as <c>verified 1/42</c>; empty for others.</summary>
    public IReadOnlyList<string> Reported { get; init; } = [];

    /// <summary>All definitions of an application, by kind and name.</summary>
    internal static IEnumerable<RippleDefinition> Of(DefinitionsInfo all) =>
    [
        .. all.Predicates.Select(
            p => new RippleDefinition(all.Application, DefinitionKind.Predicate, p.Name, p.Text) { Version = p.Version }),
        .. all.Levels.Select(l => new RippleDefinition(all.Application, DefinitionKind.Level, l.Name, l.Description)),
        .. all.Areas.Select(a => new RippleDefinition(all.Application, DefinitionKind.Area, a.Name, string.Join(',', a.Zones))),
        .. all.Externals.Select(e => new RippleDefinition(all.Application, DefinitionKind.External, e.Name, e.Description)
        {
            Reported = [.. e.Levels.Select(l => $"{l.Level} {new ReleaseNumber(l.Generation, l.Release)}")],
        }),
    ];
}
