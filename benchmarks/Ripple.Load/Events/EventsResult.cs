using System.Text.Json.Nodes;

namespace Ripple.Load.Events;

/// <summary>What was measured.</summary>
internal sealed record EventsResult
{
    public string Scenario { get; } = "events";

    public required int Subscribers { get; init; }

    public required int Boxes { get; init; }

    public required int Dimensions { get; init; }

    public required int Events { get; init; }

    /// <summary>The process that was killed under way; null for none.</summary>
    public required Death? Killed { get; init; }

    /// <summary>How fast; with what a killed process costs.</summary>
    public required EventsPace Pace { get; init; }

    /// <summary>Events that emitters were told are accepted, or more.</summary>
    public required int Accepted { get; init; }

    /// <summary>Events that a killed emitter began to emit and was told nothing of.</summary>
    public required int Unanswered { get; init; }

    public required EventsVerdict Verdict { get; init; }

    /// <summary>The figures and the words of the result, in one object.</summary>
    public JsonObject ToJson()
    {
        var json = new JsonObject
        {
            ["scenario"] = Scenario,
            ["subscribers"] = Subscribers,
            ["boxes"] = Boxes,
            ["dimensions"] = Dimensions,
            ["events"] = Events,
            ["killed"] = Killed?.ToString().ToLowerInvariant(),
        };
        foreach ((string figure, double value) in Figures(Pace))
        {
            json[figure] = value;
        }

        json["accepted"] = Accepted;
        json["unanswered"] = Unanswered;
        json["lost"] = Verdict.Lost;
        json["twice"] = Verdict.Twice;
        json["strange"] = Verdict.Strange;
        json["partial"] = Verdict.Partial;
        json["again"] = Verdict.Again;
        json["dropped"] = Verdict.Dropped;
        return json;
    }

    /// <summary>Adds a peer's figures to an object, means of its runs, and the ratios of this result's own to them.</summary>
    public static void AddPeer(JsonObject json, string peer, IReadOnlyCollection<EventsPace> paces)
    {
        foreach (IGrouping<string, (string Name, double Value)> figure in paces.SelectMany(Figures).GroupBy(f => f.Name))
        {
            double mean = figure.Average(f => f.Value);
            json[$"{peer}_{figure.Key}"] = Math.Round(mean, 3);
            json[$"{figure.Key}_ratio_to_{peer}"] = Math.Round(json[figure.Key]!.GetValue<double>() / mean, 3);
        }
    }

    private static IEnumerable<(string Name, double Value)> Figures(EventsPace pace) =>
    [
        ("events_s", pace.EventsS),
        ("matched_s", pace.MatchedS),
        ("delivered_s", pace.DeliveredS),
        ("p50_ms", pace.P50Ms),
        ("p99_ms", pace.P99Ms),
        ("server_cpu_ms", pace.ServerCpuMs),
        ("subscribers_cpu_ms", pace.SubscribersCpuMs),
    ];
}
