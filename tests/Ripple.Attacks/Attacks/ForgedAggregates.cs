using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Core;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// Two members say in finished rounds, in their own and everybody's name, that all members have release 1,000,000. One is the region's
/// first member, whose rounds count. Neither applies anything. A publish must not be proved by that, and what honest members have must
/// still be seen.
/// </summary>
internal sealed class ForgedAggregates : Attack
{
    private const ulong NeverReleased = 1_000_000;
    private static readonly TimeSpan SeenTimeout = TimeSpan.FromSeconds(10);

    public override string Name => "forged-aggregates";

    public override string What => "members forge rounds in which everybody has release 1,000,000";

    /// <summary>Who tells a round may have been told it.</summary>
    public override bool IsNamed => false;

    public override async Task SetUpAsync(Attacker attacker)
    {
        Leader = await attacker.MemberAsync(Stage.Mallory, $"{Stage.Mallory}-first");
        await Attacker.AskAsync("victims");
        Other = await attacker.MemberAsync(Stage.Mallory, $"{Stage.Mallory}-last");
    }

    private HandNode? Leader { get; set; }

    private HandNode? Other { get; set; }

    public override async Task OnAskedAsync(Stage stage, string what)
    {
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
        await stage.PublishAsync("a", "1");
    }

    public override async Task RunAsync(Attacker attacker)
    {
        // Above every round and number that these nodes could have honestly made; their own sockets never sealed anything.
        ulong number = 1;
        for (int i = 0; i < 200; i++)
        {
            foreach (HandNode node in new[] { Leader!, Other! })
            {
                Topic topic = node.Seat!.Topics.First(t => t.Application == Stage.Target);
                foreach (uint slot in node.Seat.Members.Select(m => m.Slot))
                {
                    byte[] frame = Rounds.Aggregate(node.Seat, slot, number, topic.Number, topic.Generation, NeverReleased);
                    node.SendTo(node.Seat.HostControl, node.Seat.Seal(slot, PacketClass.Control, number, frame));
                    number++;
                }
            }

            await Task.Delay(20);
        }
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        ulong release = await stage.PublishAsync("a", "2");
        WaitResult wait = await stage.Admin.WaitAsync(Stage.Target, release, "MIN($ALL.applied)", TimeSpan.FromSeconds(3));
        if (wait.Outcome == WaitOutcome.Held)
        {
            return $"release {release} was proved of {wait.Total} members, two of which never took a byte";
        }

        string wrong = "";
        for (DateTime until = DateTime.UtcNow + SeenTimeout; DateTime.UtcNow < until;)
        {
            wrong = "";
            await foreach (NodeInfo node in stage.Admin.ListNodesAsync(Stage.Target))
            {
                bool isHonest = node.Name.StartsWith("victim", StringComparison.Ordinal);
                if (isHonest ? node.Applied != release : node.Applied >= release)
                {
                    wrong = $"{node.Name} is said to have release {node.Applied}; the newest is {release}, and only honest members have it";
                }
            }

            if (wrong.Length == 0)
            {
                return null;
            }

            await Task.Delay(200);
        }

        string have = string.Join(", ", stage.Victims.Select(v => v.Release));
        return $"{wrong} (the victims have {have})";
    }
}
