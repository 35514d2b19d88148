using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A member takes the region's key and goes; then its token is revoked. Whoever joins from there on must get another key than the one it
/// has.
/// </summary>
internal sealed class LeaversKey : Attack
{
    private static readonly TimeSpan RekeyMax = TimeSpan.FromSeconds(5);

    public override string Name => "leavers-key";

    public override string What => "a member leaves with the region's key, and its token is revoked afterwards";

    /// <summary>It is gone.</summary>
    public override bool IsNamed => false;

    private string TokenId { get; set; } = "";

    public override async Task PrepareAsync(Stage stage)
    {
        TokenId = (await stage.GiveTokenAsync(Stage.Mallory, Role.Node, Stage.Target)).Token.TokenId;
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
    }

    public override async Task RunAsync(Attacker attacker)
    {
        HandNode node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);
        await Task.Delay(TimeSpan.FromSeconds(1));
        Attacker.Note("key", Convert.ToHexString(node.Seat!.Key));
        await node.CloseAsync();
        await Task.Delay(TimeSpan.FromSeconds(2));
        await Attacker.AskAsync("revoke");
    }

    public override Task OnAskedAsync(Stage stage, string what) => stage.Admin.RevokeTokenAsync(TokenId);

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        await Task.Delay(RekeyMax);
        HandNode node = await stage.LookAsync("newcomer");
        return Convert.ToHexString(node.Seat!.Key) == stage.Notes["key"]
            ? "a new member was given the key that the revoked one has"
            : null;
    }
}
