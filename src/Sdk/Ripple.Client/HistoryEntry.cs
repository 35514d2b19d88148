using Ripple.Engine.Releases;
using Row = Ripple.Engine.Protocol.Calls.HistoryEntry;

namespace Ripple.Client;

/// <summary>One release in a history.</summary>
public sealed record HistoryEntry
{
    /// <summary>The release number.</summary>
    public required ulong Release { get; init; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; init; }

    /// <summary>Its id.</summary>
    public Digest160 Id { get; init; }

    /// <summary>The time at which the primary ordered it.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>The publisher.</summary>
    public string Actor { get; init; } = string.Empty;

    /// <summary>The publisher's note.</summary>
    public string Note { get; init; } = string.Empty;

    /// <summary>The number of keys it changed.</summary>
    public int KeyCount { get; init; }

    /// <summary>The first of the changed keys; fewer than <see cref="KeyCount"/> if there are many.</summary>
    public IReadOnlyList<string> Keys { get; init; } = [];

    /// <summary>The entry as a host tells it, or would tell it.</summary>
    internal static HistoryEntry From(Row row) => new()
    {
        Release = row.Release,
        Generation = row.Generation,
        Id = row.Id,
        Time = DateTimeOffset.UnixEpoch.AddTicks(row.TimeUnixMicros * TimeSpan.TicksPerMicrosecond),
        Actor = row.Actor,
        Note = row.Note,
        KeyCount = row.KeyCount,
        Keys = row.Keys.Split('\n', StringSplitOptions.RemoveEmptyEntries),
    };
}
