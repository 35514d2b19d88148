namespace Ripple.PowerShell.Output;

/// <summary>What a definition defines.</summary>
public enum DefinitionKind
{
    /// <summary>A predicate with a name.</summary>
    Predicate,

    /// <summary>A level of the application's own.</summary>
    Level,

    /// <summary>An area: zones that belong together.</summary>
    Area,

    /// <summary>What reports levels and is no process of Ripple's.</summary>
    External,
}
