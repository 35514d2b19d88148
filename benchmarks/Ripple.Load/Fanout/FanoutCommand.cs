using System.ComponentModel;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;
using Ripple.Engine.Wire;
using Ripple.Load.Fanout.Net;

namespace Ripple.Load.Fanout;

/// <summary>Measures each parameter set in turn, and prints the rows.</summary>
internal static class FanoutCommand
{
    private static readonly JsonSerializerOptions Json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    public static async Task<int> RunAsync(string[] args)
    {
        if (FanoutOptions.Parse(args, out string error) is not { } options)
        {
            await Console.Error.WriteLineAsync($"{error}\n{FanoutOptions.Usage}");
            return 2;
        }

        var rows = new List<FanoutRow>();
        foreach (int receivers in options.Receivers)
        {
            try
            {
                rows.AddRange(await RunAsync(options, receivers, args));
            }
            catch (Exception e) when (e is InvalidOperationException or Win32Exception or SocketException)
            {
                await Console.Error.WriteLineAsync(e.Message);
                return 1;
            }

            foreach (FanoutRow row in rows.TakeLast(options.Topics.Length))
            {
                FanoutReport.Show(row);
            }
        }

        if (options.IsJson)
        {
            Console.WriteLine(JsonSerializer.Serialize(new { Scenario = "fanout", Rows = rows }, Json));
        }

        return rows.TrueForAll(r => r.IsSound) ? 0 : 1;
    }

    /// <summary>One number of receivers with each number of topics: those take turns, for the machine's speed changes.</summary>
    private static async Task<IReadOnlyList<FanoutRow>> RunAsync(FanoutOptions options, int receivers, string[] args)
    {
        using NetnsLab? lab = options.IsNetns ? NetnsLab.Make(receivers) : null;
        // Ended by a signal, the namespaces go too. What is killed outright, the next run removes.
        using PosixSignalRegistration interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, _ => lab?.Dispose());
        using PosixSignalRegistration terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, _ => lab?.Dispose());
        byte[]? key = options.IsSealed ? RandomNumberGenerator.GetBytes(RegionKey.KeyBytes) : null;
        var runs = new List<FanoutRun>();
        try
        {
            foreach (int topics in options.Topics)
            {
                var plan = new FanoutPlan(options, receivers, topics, runs.Count, lab is null ? 0 : Environment.ProcessId, key);
                runs.Add(await FanoutRun.StartAsync(plan, args));
            }

            int turns = options.IsRawMeasured || runs.Count > 1 ? options.Alternations : 1;
            for (int turn = 0; turn < turns; turn++)
            {
                foreach (FanoutRun run in runs)
                {
                    await run.TurnAsync(TimeSpan.FromSeconds(options.Seconds / turns));
                }
            }

            var rows = new List<FanoutRow>();
            foreach (FanoutRun run in runs)
            {
                rows.Add(await run.EndAsync());
            }

            return rows.Count == 1
                ? rows
                : [.. rows.Select(r => r with { TopicsRatio = Math.Round(r.DeliveriesS / rows[0].DeliveriesS, 3) })];
        }
        finally
        {
            foreach (FanoutRun run in runs)
            {
                await run.DisposeAsync();
            }
        }
    }
}
