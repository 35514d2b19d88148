using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Ripple.Load.Matching;

/// <summary>Measures the matching of events with boxes, and prints the row.</summary>
internal static class MatchCommand
{
    private static readonly JsonSerializerOptions Json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    public static int Run(string[] args)
    {
        if (MatchOptions.Parse(args, out string error) is not { } options)
        {
            Console.Error.WriteLine($"{error}\n{MatchOptions.Usage}");
            return 2;
        }

        using CeilingProgram? ceiling = CompileCeiling(options);
        try
        {
            MatchResult result = new MatchRun(options).Measure(ceiling);
            Show(result);
            if (options.IsJson)
            {
                Console.WriteLine(JsonSerializer.Serialize(result, Json));
            }

            return result.BytesPerEvent < 1 ? 0 : 1;
        }
        catch (InvalidOperationException e)
        {
            Console.Error.WriteLine(e.Message);
            return 1;
        }
    }

    /// <summary>Null, and said why, when there is nothing to compare with.</summary>
    private static CeilingProgram? CompileCeiling(MatchOptions options)
    {
        string reason = "no --ceiling was given.";
        CeilingProgram? ceiling = null;
        if (options.Ceiling is not null && options.Dimensions != new MatchOptions().Dimensions)
        {
            reason = "it is for 4 dimensions.";
        }
        else if (options.Ceiling is not null)
        {
            ceiling = CeilingProgram.Compile(options.Ceiling, out reason);
        }

        if (ceiling is null)
        {
            Console.WriteLine($"c        left out: {reason}");
        }

        return ceiling;
    }

    private static void Show(MatchResult result)
    {
        string c = result.CEventsS is { } events
            ? string.Create(CultureInfo.InvariantCulture, $"; C {events:N0}, ratio {result.RatioToC:F2}")
            : string.Empty;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"match    {result.Boxes:N0} boxes, {result.Dimensions} dimensions, {result.MatchesPerEvent:F1} matches an event: "
            + $"{result.EventsS:N0} events/s{c}; scan {result.ScanEventsS:N0}, ratio {result.RatioToScan:F0}; "
            + $"{result.BytesPerEvent:F2} B an event; index {result.IndexMb:F1} MB; with {result.ChangesS:N0} changes/s "
            + $"{result.EventsSWithChanges:N0} events/s, {result.ChangesCost:P0} less"));
    }
}
