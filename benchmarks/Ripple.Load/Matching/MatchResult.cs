namespace Ripple.Load.Matching;

/// <summary>What was measured: the middle of many short measurements of each side, which took turns.</summary>
internal sealed record MatchResult
{
    public string Scenario { get; } = "match";

    public required int Boxes { get; init; }

    public required int Dimensions { get; init; }

    /// <summary>Boxes that have an event, on average.</summary>
    public required double MatchesPerEvent { get; init; }

    /// <summary>Events through the index in a second.</summary>
    public required double EventsS { get; init; }

    /// <summary>Events that a scan matches in a second.</summary>
    public required double ScanEventsS { get; init; }

    /// <summary>Events that the program in C matches in a second; absent without it.</summary>
    public double? CEventsS { get; init; }

    /// <summary>The index to the program in C.</summary>
    public double? RatioToC => EventsS / CEventsS;

    /// <summary>The index to the scan.</summary>
    public double RatioToScan => EventsS / ScanEventsS;

    /// <summary>Bytes that the index allocates for an event.</summary>
    public required double BytesPerEvent { get; init; }

    /// <summary>Events through the index in a second while boxes change.</summary>
    public required double EventsSWithChanges { get; init; }

    /// <summary>The changes then: boxes that went, and one that came for each.</summary>
    public required double ChangesS { get; init; }

    /// <summary>The part of the events that changes cost.</summary>
    public double ChangesCost => 1 - (EventsSWithChanges / EventsS);

    /// <summary>The memory of the index, by its own account, in megabytes.</summary>
    public required double IndexMb { get; init; }
}
