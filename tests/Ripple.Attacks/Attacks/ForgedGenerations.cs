using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Core;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// The region's first member says in finished rounds that all members are at generation 4294967295, and that the others have rejected the
/// releases that come next; then it leaves. A wait for direct evidence of the honest members must hold as if it had never been there.
/// </summary>
internal sealed class ForgedGenerations : Attack
{
    private static readonly TimeSpan HoldsMax = TimeSpan.FromSeconds(15);

    public override string Name => "forged-generations";

    public override string What => "a member forges rounds of generation 4294967295 and rejections by others, and leaves";

    private HandNode? Node { get; set; }

    /// <summary>Who tells a round may have been told it.</summary>
    public override bool IsNamed => false;

    public override async Task SetUpAsync(Attacker attacker)
    {
        Node = await attacker.MemberAsync(Stage.Mallory, $"{Stage.Mallory}-first");
        await Attacker.AskAsync("victims");
    }

    public override async Task OnAskedAsync(Stage stage, string what)
    {
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
        await stage.PublishAsync("a", "1");
    }

    public override async Task RunAsync(Attacker attacker)
    {
        // The view with the victims is on its way.
        await Task.Delay(TimeSpan.FromSeconds(1));
        Seat seat = Node!.Seat!;
        Topic topic = seat.Topics.First(t => t.Application == Stage.Target);
        ulong number = 1;
        for (int i = 0; i < 100; i++)
        {
            foreach (uint slot in seat.Members.Select(m => m.Slot))
            {
                foreach ((uint generation, ulong release) in new[] { (topic.Generation, topic.Release + 2), (uint.MaxValue, 5UL) })
                {
                    byte[] frame = Rounds.Aggregate(
                        seat, slot, number, topic.Number, generation, generation == uint.MaxValue ? release : 0, (release, "made up"));
                    Node.SendTo(seat.HostControl, seat.Seal(slot, PacketClass.Control, number, frame));
                    number++;
                }
            }

            await Task.Delay(20);
        }

        await Node.SendAsync(MessageType.Leave, new WireBytes().Text16("done").ToArray());
        await Task.Delay(TimeSpan.FromSeconds(1));
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        ulong release = await stage.PublishAsync("a", "2");
        WaitResult wait = await stage.Admin.WaitAsync(Stage.Target, release, "MIN($ALL.applied.direct)", HoldsMax);
        return wait.Outcome == WaitOutcome.Held
            ? null
            : $"a wait for direct evidence of release {release}: {wait.Outcome} {wait.Text} "
                + string.Join(", ", wait.Members.Select(m => $"{m.Name} {m.Value} {m.Reason}"));
    }
}
