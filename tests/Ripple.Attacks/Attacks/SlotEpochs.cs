using System.Globalization;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// One node joins again and again, each time claiming to have seen an epoch far ahead of the host's, at last the highest numbers there are.
/// The numbers must last, and the host must start again.
/// </summary>
internal sealed class SlotEpochs : Attack
{
    private const int Joins = 220;

    /// <summary>The most that one claim was ever believed by.</summary>
    private const uint Leap = 65_536;

    /// <summary>What all claims of a host's life together may add: about a day of seconds, and some starts.</summary>
    private const long MovedMax = 100_000;

    public override string Name => "slot-epochs";

    public override string What => "a node joins 220 times and claims an epoch 65,536 ahead each time, then 4294967295";

    private HandNode? Node { get; set; }

    public override async Task SetUpAsync(Attacker attacker) =>
        Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory, isLive: false);

    public override async Task RunAsync(Attacker attacker)
    {
        uint epoch = Node!.Seat!.SlotEpoch;
        Attacker.Note("before", epoch);
        int refused = 0;
        for (int i = 0; i < Joins; i++)
        {
            refused += await ClaimAsync(epoch + Leap, attacker) ? 0 : 1;
            epoch = Node.Seat.SlotEpoch;
        }

        foreach (uint claim in new[] { uint.MaxValue - 2, uint.MaxValue - 1, uint.MaxValue })
        {
            refused += await ClaimAsync(claim, attacker) ? 0 : 1;
        }

        Attacker.Note("refused", refused);
    }

    public override async Task<string?> JudgeAsync(Stage stage) => Moved(stage, await stage.LookAsync("looking"), "the claims");

    public override async Task<string?> JudgeAfterAsync(Stage stage)
    {
        await stage.Host.StopAsync();
        await stage.Host.StartAsync();
        return Moved(stage, await stage.LookAsync("looking-again"), "the claims and a start");
    }

    private static string? Moved(Stage stage, HandNode node, string by)
    {
        long moved = node.Seat!.SlotEpoch - stage.NoteOf("before");
        return moved > MovedMax ? string.Create(CultureInfo.InvariantCulture, $"the epoch moved by {moved} through {by}") : null;
    }

    private async Task<bool> ClaimAsync(uint epoch, Attacker attacker)
    {
        try
        {
            return await Node!.JoinAsync(Node.Claim() with { SlotEpoch = epoch }, attacker.Ending);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            // Not let in at all: that is a refusal too.
            return false;
        }
    }
}
