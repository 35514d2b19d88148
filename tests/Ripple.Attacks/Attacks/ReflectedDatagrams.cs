using System.Net;
using System.Net.Sockets;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A node joins and names an address that never took part as the one to send to, in a region with two honest members, whom it tells that it
/// is alive. What arrives there is counted, from the host and from the members, while the application is published.
/// </summary>
internal sealed class ReflectedDatagrams : Attack
{
    /// <summary>A question whether somebody is there may be sent, and sent again.</summary>
    private const int DatagramsMax = 50;
    private const int BytesMax = 16_384;
    private static readonly IPAddress Bystander = IPAddress.Parse("127.0.0.3");
    private static readonly TimeSpan Lasts = TimeSpan.FromSeconds(10);

    public override string Name => "reflected-datagrams";

    public override string What => "a node names somebody else's address as its own for datagrams";

    private PublisherProcess? Publisher { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
        Publisher = await stage.AddTargetPublisherAsync();
    }

    public override async Task RunAsync(Attacker attacker)
    {
        HandNode node = await HandNode.EnrolAsync(attacker.Given(Stage.Mallory), Stage.Mallory, attacker.Ending);
        attacker.Keep(node);
        using var bystander = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        bystander.Bind(new IPEndPoint(Bystander, 0));
        NodeAddress address = HandNode.AddressOf(bystander);
        if (!await node.JoinAsync(node.Claim() with { Data = address, Control = address }, attacker.Ending))
        {
            Attacker.Note("refused", node.Refusal);
            return;
        }

        node.Live(attacker.Ending);
        Task telling = TellAsync(node, attacker.Ending);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(attacker.Ending);
        over.CancelAfter(Lasts);
        int datagrams = 0;
        long bytes = 0;
        byte[] buffer = new byte[65_536];
        try
        {
            while (true)
            {
                bytes += await bystander.ReceiveAsync(buffer, over.Token);
                datagrams++;
            }
        }
        catch (OperationCanceledException)
        {
            await telling;
            Attacker.Note("members", node.Seat!.Members.Count(m => m.Slot != node.Seat.Slot));
            Attacker.Note("datagrams", datagrams);
            Attacker.Note("bytes", bytes);
        }
    }

    public override async Task<string?> WatchAsync(Stage stage, Task attacking)
    {
        await Publisher!.BeginAsync();
        await attacking;
        await Publisher.EndAsync();
        long datagrams = stage.NoteOf("datagrams");
        return stage.NoteOf("members") < 2 ? "the honest members were not in the attacker's region"
            : datagrams > DatagramsMax || stage.NoteOf("bytes") > BytesMax
            ? $"somebody who never took part got {datagrams} datagrams, {stage.NoteOf("bytes")} bytes"
            : null;
    }

    /// <summary>Acknowledges tokens that it never got, to every member: whoever hears of it does not take it for silent.</summary>
    private static async Task TellAsync(HandNode node, CancellationToken ending)
    {
        Seat seat = node.Seat!;
        using var over = CancellationTokenSource.CreateLinkedTokenSource(ending);
        over.CancelAfter(Lasts);
        for (ulong number = 1; !over.IsCancellationRequested; number++)
        {
            byte[] ack = WireBytes.Frame((int)FrameType.TokenAck, new WireBytes().U64(seat.View).U64(number).U16(1).ToArray());
            foreach (Member member in seat.Members.Where(m => m.Slot != seat.Slot))
            {
                node.SendTo(member.Control, seat.Seal(seat.Slot, PacketClass.Control, number, ack));
            }

            await Task.Delay(5, CancellationToken.None);
        }
    }
}
