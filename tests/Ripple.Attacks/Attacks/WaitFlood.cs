using System.Globalization;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// 300 members of the attacked application, all by one token; one of them has 256 waits of 310 operands each, and another reports its level
/// one higher 939 times; then all but these two report what is waited for. Whoever else is on the host must not wait behind that.
/// </summary>
internal sealed class WaitFlood : Attack
{
    private const int Members = 300;
    private const int Waits = 256;
    private const int Operands = 309;
    private const int Releases = 940;

    public override string Name => "wait-flood";

    public override string What => "256 waits of 310 operands over 300 members, 939 reports and 298 that are waited for";

    public override IReadOnlyList<string> MemoryLines => ["frontier", "session", "link: frames", "TLS", "region", "stream", "ring"];

    public override int Connections => Members;

    private List<HandNode> Nodes { get; } = [];

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await Parallel.ForAsync(0, Releases, new ParallelOptions { MaxDegreeOfParallelism = 6 }, async (i, _) =>
            await stage.PublishAsync("a", i.ToString(CultureInfo.InvariantCulture)));
    }

    public override async Task SetUpAsync(Attacker attacker)
    {
        await Parallel.ForAsync(0, Members, new ParallelOptions { MaxDegreeOfParallelism = 4 }, async (i, _) =>
        {
            HandNode node = await attacker.MemberAsync(Stage.Mallory, $"{Stage.Mallory}-{i}");
            lock (Nodes)
            {
                Nodes.Add(node);
            }
        });
        // A wait is bound to those who were members when its release was committed.
        await Attacker.AskAsync("publish");
    }

    public override Task OnAskedAsync(Stage stage, string what) => stage.PublishAsync("a", "awaited");

    public override async Task RunAsync(Attacker attacker)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(attacker.Ending);
        limit.CancelAfter(TimeSpan.FromSeconds(60));
        Topic topic = Nodes[0].Seat!.Topics.First(t => t.Application == Stage.Target);
        string operands = string.Concat(Enumerable.Repeat(",$ALL.applied", Operands));
        try
        {
            for (int i = 1; i <= Waits; i++)
            {
                string predicate = string.Create(CultureInfo.InvariantCulture, $"MIN(KTH_MIN({i},$ALL.applied){operands})");
                await Nodes[0].SendAsync(
                    MessageType.Wait, Layouts.Wait((uint)i, Stage.Target, topic.Release + 1, predicate, 120_000), limit.Token);
            }

            Frame? ended = await Nodes[0].ExpectAsync(MessageType.WaitResult, TimeSpan.FromSeconds(1));
            Attacker.Note("ended", ended is { } frame ? System.Text.Encoding.UTF8.GetString(frame.Body) : "none");
            for (ulong level = 1; level < Releases; level++)
            {
                await Nodes[1].SendAsync(MessageType.Report, Layouts.Report(topic.Number, topic.Generation, level), limit.Token);
                await Task.Delay(20, limit.Token);
            }

            // None of these has what is waited for; all of the following have it, and two have not.
            foreach (HandNode node in Nodes.Skip(2))
            {
                await node.SendAsync(
                    MessageType.Report, Layouts.Report(topic.Number, topic.Generation, topic.Release + 1), limit.Token);
                await Task.Delay(20, limit.Token);
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            Attacker.Note("stopped", e.Message);
        }
    }

    public override Task<string?> WatchAsync(Stage stage, Task attacking) => AdminProbe.WatchAsync(stage, attacking);
}
