using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <summary>One release in a history.</summary>
public sealed record HistoryEntry
{
    /// <summary>The release.</summary>
    public required ulong Release { get; init; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; init; }

    /// <summary>Its id.</summary>
    public Digest160 Id { get; init; }

    /// <summary>When the primary ordered it.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>Who published it.</summary>
    public string Actor { get; init; } = string.Empty;

    /// <summary>What they said.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>How many keys it changed.</summary>
    public int KeyCount { get; init; }

    /// <summary>The first of them; fewer than <see cref="KeyCount"/> when they are many.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];
}
