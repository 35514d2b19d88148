using System.Globalization;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>An application has 20 releases of 900 keys. One node asks 3,000 times for a key of a past one.</summary>
internal sealed class PastReads : Attack
{
    private const int Keys = 900;
    private const int Releases = 20;
    private const int Reads = 3_000;

    public override string Name => "past-reads";

    public override string What => "a node asks 3,000 times for keys of past releases of 900 keys";

    public override IReadOnlyList<string> MemoryLines => ["store", "what is read", "session", "link: frames"];

    private HandNode? Node { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        for (int release = 0; release < Releases; release++)
        {
            await stage.Admin.PublishAsync(Stage.Target, new PublishRequest
            {
                Set = [.. Enumerable.Range(0, Keys).Select(i => new KeyValue { Key = KeyOf(i), Text = $"{release} {i}" })],
            });
        }
    }

    public override async Task SetUpAsync(Attacker attacker) => Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);

    public override async Task RunAsync(Attacker attacker)
    {
        byte[] frames = [.. Enumerable.Range(1, Reads).SelectMany(i => HandNode.Encode(
            MessageType.ReadKey, Layouts.ReadKey((uint)i, Stage.Target, (ulong)((i % (Releases - 1)) + 1), KeyOf(i % Keys))))];
        await Node!.WriteAsync(frames, attacker.Ending);
        int answers = 0;
        while (answers < Reads && await Node.ExpectAsync(MessageType.ReadKeyResult, TimeSpan.FromSeconds(20)) is not null)
        {
            answers++;
        }

        Attacker.Note("answers", answers);
    }

    private static string KeyOf(int i) => string.Create(CultureInfo.InvariantCulture, $"section/key-{i:D4}");
}
