using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// Two tokens enrol nodes under one name, an administrator's, and publish through the control channel. History must tell which token did
/// what.
/// </summary>
internal sealed class MadeUpActor : Attack
{
    private const string Alice = "alice.the-admin";
    private static readonly string[] Tokens = ["mallory-a", "mallory-b"];

    public override string Name => "made-up-actor";

    public override string What => "two tokens publish under the same made-up name";

    /// <summary>That it is named is what is judged, in history.</summary>
    public override bool IsNamed => false;

    public override async Task PrepareAsync(Stage stage)
    {
        foreach (string token in Tokens)
        {
            await stage.GiveTokenAsync(token, Role.Publisher, Stage.Target);
        }
    }

    public override async Task RunAsync(Attacker attacker)
    {
        foreach (string token in Tokens)
        {
            HandNode node = await HandNode.EnrolAsync(attacker.Given(token), Alice, attacker.Ending);
            attacker.Keep(node);
            await node.ConnectAsync(attacker.Ending);
            node.Live(attacker.Ending);
            await node.SendAsync(MessageType.PublishBegin, Layouts.PublishBegin(HandNode.Version, 1, Stage.Target, [("a", 9)]));
            await node.SendAsync(MessageType.PublishPart, Layouts.PublishPart(1, [.. token.Select(c => (byte)c)]));
            if (await node.ExpectAsync(MessageType.PublishResult, TimeSpan.FromSeconds(10)) is null)
            {
                throw new AttackException("A publish was not answered.");
            }
        }
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        List<string> actors = [];
        await foreach (ReleaseInfo release in stage.Admin.ListReleasesAsync(Stage.Target))
        {
            if (release.Changes.Count > 0)
            {
                actors.Add(release.Actor);
            }
        }

        string[] unnamed = [.. stage.AttackerTokens.Where(t => !actors.Any(a => a.Contains(t, StringComparison.Ordinal)))];
        return unnamed.Length == 0 ? null : $"history names '{string.Join("', '", actors)}', which does not tell the tokens";
    }
}
