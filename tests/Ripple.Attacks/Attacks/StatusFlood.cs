using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// 300 nodes come and go, so that the application has rows. Then one node asks 20,000 times who has what, and never reads an answer.
/// </summary>
internal sealed class StatusFlood : Attack
{
    private const int Rows = 300;
    private const int Calls = 20_000;

    public override string Name => "status-flood";

    public override string What => "a node asks 20,000 times for the state of 300 nodes, and reads no answer";

    public override IReadOnlyList<string> MemoryLines =>
        ["session", "frontier", "link: frames", "TLS", "what is read", "publishes that may be asked for again"];

    public override int Connections => Rows + 1;

    private HandNode? Node { get; set; }

    public override async Task SetUpAsync(Attacker attacker)
    {
        for (int i = 0; i < Rows; i++)
        {
            HandNode node = await HandNode.JoinAsync(attacker.Given(Stage.Mallory), $"passer-{i}", attacker.Ending);
            await node.DisposeAsync();
        }

        Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory, isLive: false);
    }

    public override async Task RunAsync(Attacker attacker)
    {
        byte[] frames = [.. Enumerable.Range(1, Calls).SelectMany(
            i => HandNode.Encode(MessageType.Status, Layouts.Status((uint)i, Stage.Target)))];
        // A host that stops reading is right; the attack goes on from there as long as it can.
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(attacker.Ending);
        limit.CancelAfter(TimeSpan.FromSeconds(15));
        try
        {
            await Node!.WriteAsync(frames, limit.Token);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            Attacker.Note("stopped", e.Message);
        }

        await Task.Delay(TimeSpan.FromSeconds(5), attacker.Ending);
    }
}
