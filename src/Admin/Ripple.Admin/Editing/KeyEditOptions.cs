using Ripple.Admin.Contracts;

namespace Ripple.Admin.Editing;

/// <summary>How a key is edited. Immutable.</summary>
public sealed record KeyEditOptions
{
    /// <summary>What changed and why, for the history; may be empty. Default empty.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>
    /// How often the edit is published at most, while releases of others come between; 1 or more. Default 20.
    /// </summary>
    public int TriesMax { get; init; } = 20;

    /// <summary>
    /// The release that whoever edits has seen, as <see cref="KeyEditPlan.Release"/> tells it: what another changed at the place since is a
    /// conflict. Null for the newest when the edit begins. A plan takes no notice of it. Default null.
    /// </summary>
    public ReleaseNumber? Since { get; init; }
}
