using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A node asks for a value of another application by its digest, under its own application's number and the other's. It knows the digest
/// because it guessed the value; it must not learn whether it guessed right.
/// </summary>
internal sealed class OthersValue : Attack
{
    private const string Secret = "only-for-the-honest-7361";

    public override string Name => "others-value";

    public override string What => "a node asks for another application's value by its digest";

    /// <summary>Who asks for what is not there is answered so.</summary>
    public override bool IsNamed => false;

    private HandNode? Node { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.Admin.PublishAsync(
            HostProcess.Application, new PublishRequest { Set = [new() { Key = "secret", Text = Secret }] });
    }

    public override async Task SetUpAsync(Attacker attacker) => Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);

    public override async Task RunAsync(Attacker attacker)
    {
        byte[] digest = new byte[Digest160.Size];
        ContentDigest.Compute(Encoding.UTF8.GetBytes(Secret)).Write(digest);
        uint own = Node!.Seat!.Topics.First(t => t.Application == Stage.Target).Number;
        for (uint topic = 1; topic <= own + 1; topic++)
        {
            await Node.SendAsync(MessageType.BodyRequest, Layouts.BodyRequest(topic, digest));
        }

        bool isGiven = await Node.ExpectAsync(MessageType.Body, TimeSpan.FromSeconds(3)) is not null;
        Attacker.Note("given", isGiven ? "yes" : "no");
    }

    public override Task<string?> JudgeAsync(Stage stage) => Task.FromResult(
        stage.Notes["given"] == "yes" ? "another application's value was given for its digest" : null);
}
