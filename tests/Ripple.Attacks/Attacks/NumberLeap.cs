using Ripple.Attacks.Nodes;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Runs;
using Ripple.Attacks.Stages;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;

namespace Ripple.Attacks.Attacks;

/// <summary>
/// A member seals packets as the host: of number 2^50 in the classes of data and repair, and a beacon whose oldest repairable packet is
/// 2^56. The victims' windows must not leap away from the host's stream: releases go on arriving soon.
/// </summary>
internal sealed class NumberLeap : Attack
{
    /// <summary>While it goes on: a heartbeat and what it brings.</summary>
    private const double LagMsMax = 2_500;

    /// <summary>The median once it is over and some seconds have passed: the stream, and not heartbeats alone.</summary>
    private const double RestoredMsMax = 250;
    private const ulong Leap = 1UL << 50;
    private const ulong FarAvailable = (1UL << 56) - 2;

    public override string Name => "number-leap";

    public override string What => "a member seals packets of number 2^50 and a beacon of 2^56 as the host";

    /// <summary>Nobody can tell which member sealed as the host.</summary>
    public override bool IsNamed => false;

    private HandNode? Node { get; set; }

    private PublisherProcess? Publisher { get; set; }

    public override async Task PrepareAsync(Stage stage)
    {
        await base.PrepareAsync(stage);
        await stage.AddVictimAsync();
        await stage.AddVictimAsync();
        Publisher = await stage.AddTargetPublisherAsync();
    }

    public override async Task SetUpAsync(Attacker attacker) => Node = await attacker.MemberAsync(Stage.Mallory, Stage.Mallory);

    public override async Task RunAsync(Attacker attacker)
    {
        Seat seat = Node!.Seat!;
        byte[] beacon = WireBytes.Frame((int)FrameType.Beacon, new WireBytes()
            .U64(seat.HostIncarnation).U64(FarAvailable).U64(FarAvailable + 1).U64(seat.View).U64(0).ToArray());
        byte[] position = WireBytes.Frame((int)FrameType.Position, new WireBytes().U64(seat.HostIncarnation).U64(Leap).ToArray());
        for (ulong i = 0; i < 50; i++)
        {
            foreach (Member victim in seat.Members.Where(m => m.Slot != seat.Slot))
            {
                Node.SendTo(victim.Data, seat.Seal(0, PacketClass.Data, Leap + i, position));
                Node.SendTo(victim.Data, seat.Seal(0, PacketClass.Repair, Leap + i, position));
                Node.SendTo(victim.Control, seat.Seal(0, PacketClass.Control, Leap + i, beacon));
            }

            await Task.Delay(100);
        }
    }

    public override async Task<string?> WatchAsync(Stage stage, Task attacking)
    {
        long first = await Publisher!.BeginAsync();
        await attacking;
        await Task.Delay(TimeSpan.FromSeconds(3));
        long restored = await Publisher.EndAsync();
        await Publisher.BeginAsync();
        await Task.Delay(TimeSpan.FromSeconds(3));
        long last = await Publisher.EndAsync();
        await Task.Delay(TimeSpan.FromSeconds(3));
        Measured all = LagOf(stage, first, last);
        Measured after = LagOf(stage, restored + 1, last);
        return all.Lost > 0
            ? $"{all.Lost} of {all.Published} releases did not reach the victims within 3 s"
            : all.MaxMs > LagMsMax
                ? FormattableString.Invariant($"the victims lagged by {all.MaxMs:F0} ms")
                : after.P50Ms > RestoredMsMax
                    ? FormattableString.Invariant($"3 s after the attack the victims lag by {after.P50Ms:F0} ms (median)")
                    : null;
    }

    private Measured LagOf(Stage stage, long first, long last) => Measured.Of(
        Publisher!.Called.Where(c => c.Key >= first && c.Key <= last).ToDictionary(), [.. stage.Victims.Select(v => v.Applied)]);
}
