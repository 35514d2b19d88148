using System.Text;
using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A member seals, as the host, four different unsigned releases that claim to be the next one. The genuine next one must still take
/// effect.
/// </summary>
internal sealed class UnsignedClaims : Attack
{
    private const int Claims = 4;

    /// <summary>Above the numbers that the host has sealed, and within the window that takes those that come.</summary>
    private const ulong NumbersAhead = 200;
    private static readonly TimeSpan ArrivesMax = TimeSpan.FromSeconds(5);

    public override string Name => "unsigned-claims";

    public override string What => "a member seals four unsigned releases as the host, each claiming to be the next";

    /// <summary>Nobody can tell which member sealed as the host.</summary>
    public override bool IsNamed => false;

    private HandNode? Node { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
        ulong release = await stage.PublishAsync("a", "1");
        await Task.WhenAll(stage.Victims.Select(v => v.ReachesAsync(release, TimeSpan.FromSeconds(20))));
    }

    public override async Task SetUpAsync(Attacker attacker) => Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);

    public override async Task RunAsync(Attacker attacker)
    {
        Seat seat = Node!.Seat!;
        Topic topic = seat.Topics.First(t => t.Application == Stage.Target);
        Attacker.Note("release", (long)topic.Release);
        for (uint i = 0; i < Claims; i++)
        {
            ulong sequence = seat.FirstSequence + i;
            byte[] frames =
            [
                .. WireBytes.Frame((int)FrameType.Position, new WireBytes().U64(seat.HostIncarnation).U64(sequence).ToArray()),
                .. WireBytes.Frame((int)FrameType.Message, Message(topic, sequence, Claim(topic, i))),
            ];
            foreach (Member victim in seat.Members.Where(m => m.Slot != seat.Slot))
            {
                Node.SendTo(victim.Data, seat.Seal(0, PacketClass.Data, seat.FirstSequence + NumbersAhead + i, frames));
            }
        }

        await Task.Delay(TimeSpan.FromSeconds(1), attacker.Ending);
    }

    public override async Task<string?> JudgeAsync(Stage stage)
    {
        ulong release = await stage.PublishAsync("a", "genuine");
        bool[] have = await Task.WhenAll(stage.Victims.Select(v => v.ReachesAsync(release, ArrivesMax)));
        return have.All(h => h) ? null : $"{have.Count(h => !h)} victims do not take release {release} within {ArrivesMax.TotalSeconds} s";
    }

    private static byte[] Claim(Topic topic, uint variant)
    {
        byte[] value = Encoding.ASCII.GetBytes($"forged {variant}");
        var change = KeyChange.Set("a", KeyForm.Bytes, value);
        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = topic.Application,
            Generation = topic.Generation,
            Release = topic.Release + 1,
            SlotEpoch = 1,
            PreviousId = Digest160.Read(topic.Id),
            PublishId = Guid.NewGuid(),
            Actor = "host",
            TimeUnixMicros = 1,
            Note = "",
            Changes = [change],
            StateRoot = change.Digest,
        };
        return ReleaseMessage.Encode(header, null, _ => value, 1_000);
    }

    private static byte[] Message(Topic topic, ulong id, byte[] message) =>
        new WireBytes().U32(topic.Number).U64(id).U32(0).U32((uint)message.Length).Raw(message).ToArray();
}
