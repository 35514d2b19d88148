using System.Globalization;
using System.Text.Json;
using Ripple.Attacks.Attacks;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Runs;

namespace Ripple.Attacks.Roles;

/// <summary>
/// The attacker's process: gets ready, attacks when it is told to, says when it has done what it wanted, and holds what it has until its
/// standard input ends.
/// </summary>
internal static class AttackerRole
{
    public static async Task<int> RunAsync(string[] args)
    {
        Pinning.To(args[0]);
        Attack attack = AttackTable.All.First(a => a.Name == args[1]);
        Dictionary<string, string> given = JsonSerializer.Deserialize<Dictionary<string, string>>(await File.ReadAllTextAsync(args[2]))!;
        HandNode.OnEnrolled = id => Attacker.Note(Naming.NodeNote + id, "");
        HandNode.Version = int.Parse(given["version"], CultureInfo.InvariantCulture);
        using var ending = new CancellationTokenSource();
        var attacker = new Attacker(given, ending.Token);
        try
        {
            await attack.SetUpAsync(attacker);
            Console.WriteLine("ready");
            await Console.In.ReadLineAsync();
            await attack.RunAsync(attacker);
            Console.WriteLine("over");
        }
        catch (Exception e)
        {
            Console.WriteLine($"failed {e.GetType().Name}: {e.Message.ReplaceLineEndings(" ")}");
            await Console.Error.WriteLineAsync(e.ToString());
            return 1;
        }

        await Console.In.ReadToEndAsync();
        await ending.CancelAsync();
        Environment.Exit(0);
        return 0;
    }
}
