using System.Globalization;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Protocol;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A publisher announces 128 publishes on each of two connections, of 16 MiB and then of less and less, so that no room is left, and sends
/// none of them.
/// </summary>
internal sealed class UnsentUploads : Attack
{
    private const int UploadsEach = 21;
    private static readonly uint[] Bytes = [16 << 20, 1 << 20, 64 << 10, 4 << 10, 256, 1];
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(15);

    public override string Name => "unsent-uploads";

    public override string What => "a publisher announces 252 publishes of up to 16 MiB and sends none";

    public override IReadOnlyList<string> MemoryLines => ["publishes that come", "link: frames", "session"];

    public override async Task PrepareAsync(Stage stage) => await stage.GiveTokenAsync(Stage.Mallory, Role.Publisher, Stage.Target);

    public override async Task RunAsync(Attacker attacker)
    {
        for (int i = 0; i < 2; i++)
        {
            HandNode node = await HandNode.EnrolAsync(
                attacker.Given(Stage.Mallory), string.Create(CultureInfo.InvariantCulture, $"{Stage.Mallory}-{i}"), attacker.Ending);
            attacker.Keep(node);
            await node.ConnectAsync(attacker.Ending);
            node.Live(attacker.Ending);
            for (int n = 0; n < Bytes.Length * UploadsEach; n++)
            {
                byte[] announced = Layouts.PublishBegin(HandNode.Version, (uint)n + 1, Stage.Target, [("a", Bytes[n / UploadsEach])]);
                await node.SendAsync(MessageType.PublishBegin, announced);
            }
        }

        await Task.Delay(Lasts, attacker.Ending);
    }
}
