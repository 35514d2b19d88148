using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A node enrols and joins under names that are commands to a terminal and lines of a log, names such a zone, and rejects a release for
/// such a reason. No line of the host's log may have any of it.
/// </summary>
internal sealed class EscapedNames : Attack
{
    private const string Forged = "info: Ripple.Gms[1000] forged line";
    private const string Evil = $"mallory\u001b]0;pwned\a\u001b[2J\u001b[31mevil\r{Forged}\n{Forged}";

    public override string Name => "escaped-names";

    public override string What => "names, zones and reasons with escape sequences and line ends";

    /// <summary>A refusal may say whose name it does not repeat, and need not.</summary>
    public override bool IsNamed => false;

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.PublishAsync("a", "1");
    }

    public override async Task RunAsync(Attacker attacker)
    {
        try
        {
            HandNode enrolled = await HandNode.EnrolAsync(attacker.Given(Stage.Mallory), Evil, attacker.Ending);
            attacker.Keep(enrolled);
            Attacker.Note("enrolled", "yes");
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            Attacker.Note("enrolled", "no");
        }

        HandNode node = await HandNode.EnrolAsync(attacker.Given(Stage.Mallory), Stage.Mallory, attacker.Ending);
        attacker.Keep(node);
        bool isNamed = await node.JoinAsync(node.Claim() with { Name = Evil, Zone = "z\u009b31m" }, attacker.Ending);
        Attacker.Note("joined", isNamed ? "yes" : "no");
        if (isNamed || await node.JoinAsync(node.Claim(), attacker.Ending))
        {
            Topic topic = node.Seat!.Topics.First(t => t.Application == Stage.Target);
            node.Live(attacker.Ending);
            await node.SendAsync(MessageType.Report, Layouts.Rejection(topic.Number, topic.Generation, 1, Evil));
        }

        await Task.Delay(TimeSpan.FromSeconds(2), attacker.Ending);
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        string? line = stage.Host.Log.FirstOrDefault(
            l => l.StartsWith(Forged, StringComparison.Ordinal) || l.Any(c => char.IsControl(c) && c != '\t'));
        if (line is not null)
        {
            return $"the host's log has what a terminal obeys, or a line that a node wrote: {Harmless(line)}";
        }

        await foreach (Ripple.Admin.Contracts.NodeInfo node in stage.Admin.ListNodesAsync(Stage.Target))
        {
            if (string.Concat(node.Name, node.Zone, node.Reason).Any(char.IsControl))
            {
                return $"the admin API tells what a terminal obeys of {Harmless(node.Name)}";
            }
        }

        return null;
    }

    private static string Harmless(string text) => string.Concat(text.Select(c => char.IsControl(c) ? '?' : c));
}
