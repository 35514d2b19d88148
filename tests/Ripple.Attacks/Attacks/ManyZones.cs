using System.Globalization;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// 300 nodes by one token, each in a zone of its own, so that each is a region of its own. One token must not take all there is.
/// </summary>
internal sealed class ManyZones : Attack
{
    private const int Nodes = 300;

    public override string Name => "many-zones";

    public override string What => "300 nodes by one token, each in a zone of its own";

    public override IReadOnlyList<string> MemoryLines => ["stream", "region", "ring", "frontier", "TLS", "link: frames"];

    public override int Connections => Nodes;

    public override int Regions => 64;

    private List<HandNode> Enrolled { get; } = [];

    public override async Task SetUpAsync(Attacker attacker)
    {
        for (int i = 0; i < Nodes; i++)
        {
            HandNode node = await HandNode.EnrolAsync(
                attacker.Given(Stage.Mallory), string.Create(CultureInfo.InvariantCulture, $"{Stage.Mallory}-{i}"), attacker.Ending);
            attacker.Keep(node);
            Enrolled.Add(node);
        }
    }

    public override async Task RunAsync(Attacker attacker)
    {
        int joined = 0;
        foreach (HandNode node in Enrolled)
        {
            try
            {
                string zone = string.Create(CultureInfo.InvariantCulture, $"zone-{joined}");
                if (await node.JoinAsync(node.Claim() with { Zone = zone }, attacker.Ending))
                {
                    joined++;
                    node.Live(attacker.Ending);
                }
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                Attacker.Note("refused", e.Message);
            }
        }

        Attacker.Note("joined", joined);
    }

    public override Task<string?> JudgeAsync(Stage stage) => Task.FromResult(
        stage.NoteOf("joined") >= Nodes ? $"one token made {stage.NoteOf("joined")} regions" : null);
}
