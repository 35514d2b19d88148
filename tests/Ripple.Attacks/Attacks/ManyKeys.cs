using System.Globalization;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A publisher makes 205 releases of 1,000 new keys each, more than a node takes as a snapshot. What is released, a new node must get: the
/// host has to refuse what it could not bring anybody.
/// </summary>
internal sealed class ManyKeys : Attack
{
    private const int Releases = 205;
    private const int KeysEach = 1_000;
    private static readonly TimeSpan ComesUpMax = TimeSpan.FromSeconds(30);

    public override string Name => "many-keys";

    public override string What => "a publisher makes 205,000 keys";

    /// <summary>What is published is kept: two and a half kilobytes a key, with its history.</summary>
    public override double StateMb => Releases * KeysEach * 2.5 / 1e3;

    public override bool IsNamed => false;

    private HandNode? Node { get; set; }

    public override async Task PrepareAsync(Stage stage) => await stage.GiveTokenAsync(Stage.Mallory, Role.Publisher, Stage.Target);

    public override async Task SetUpAsync(Attacker attacker)
    {
        Node = await HandNode.EnrolAsync(attacker.Given(Stage.Mallory), Stage.Mallory, attacker.Ending);
        attacker.Keep(Node);
        await Node.ConnectAsync(attacker.Ending);
        Node.Live(attacker.Ending);
    }

    public override async Task RunAsync(Attacker attacker)
    {
        byte[] values = new byte[KeysEach];
        int answered = 0;
        for (uint call = 1; call <= Releases; call++)
        {
            (string, uint)[] keys = [.. Enumerable.Range(0, KeysEach).Select(
                i => (string.Create(CultureInfo.InvariantCulture, $"k/{call:D4}/{i:D4}"), 1u))];
            await Node!.SendAsync(MessageType.PublishBegin, Layouts.PublishBegin(HandNode.Version, call, Stage.Target, keys));
            await Node.SendAsync(MessageType.PublishPart, Layouts.PublishPart(call, values));
            answered += await Node.ExpectAsync(MessageType.PublishResult, TimeSpan.FromSeconds(10)) is null ? 0 : 1;
        }

        Attacker.Note("answered", answered);
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        ulong newest = (await stage.Admin.GetApplicationAsync(Stage.Target)).Release;
        try
        {
            MemberProcess member = await stage.AddVictimAsync();
            return await member.ReachesAsync(newest, ComesUpMax)
                ? null
                : $"a new node has release {member.Release} after {ComesUpMax.TotalSeconds} s, and {newest} is the newest";
        }
        catch (AttackException e)
        {
            return $"no new node comes up while {newest} is the newest release: {e.Message}";
        }
    }
}
