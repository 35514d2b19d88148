using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using Ripple.Attacks.Attacks;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Runs;

/// <summary>Runs the attacks one after the other, and prints a line for each.</summary>
internal static class Runner
{
    /// <summary>For terminals and logs, not for pages: quotes stay readable.</summary>
    private static readonly JsonSerializerOptions Json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static async Task<int> RunAsync(CommandLine line)
    {
        if (line.IsList)
        {
            foreach (Attack attack in line.Attacks)
            {
                Console.WriteLine($"{attack.Name,-20} {attack.What}");
            }

            return 0;
        }

        if (!OperatingSystem.IsLinux())
        {
            await Console.Error.WriteLineAsync("The attacker is bound to one processor, and memory is read from /proc: this takes Linux.");
            return 2;
        }

        string directory = Directory.CreateTempSubdirectory("ripple-attacks-").FullName;
        try
        {
            HostProgram program = HostProgram.Find(line.Host, line.Sdk, directory);
            List<AttackResult> results = [];
            foreach (Attack attack in line.Attacks)
            {
                results.Add(await new AttackRun(attack, line, program, Path.Combine(directory, attack.Name)).RunAsync());
                Say(results[^1], line.IsJson);
            }

            Console.WriteLine(JsonSerializer.Serialize(Summary.Of(results), Json));
            return results.TrueForAll(r => r.IsHeld) ? 0 : 1;
        }
        catch (AttackException e)
        {
            await Console.Error.WriteLineAsync(e.Message);
            return 2;
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static void Say(AttackResult result, bool isJson)
    {
        Console.WriteLine(isJson
            ? JsonSerializer.Serialize(result, Json)
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{result.Attack,-20} {(result.IsHeld ? "held" : "NOT HELD: " + result.Why)}  p99 {result.P99Ms} ms, before "
                    + $"{result.BaselineP99Ms} ms; memory +{result.PeakMb} MB, then +{result.AfterMb} MB"));
    }
}
