using Ripple.Engine.Frontier;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Protocol.Views;
using Ripple.Engine.Regions;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>
/// Heartbeats and reports on the own connection that lie: levels beyond what is committed, other topics and generations, rejections; and
/// reports about the multicast group.
/// </summary>
internal sealed class Reports : IForgery
{
    /// <inheritdoc/>
    public string Name => "reports";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (attacker.Captured.Held?.Keys is not { } head || attacker.Captured.View is not { } view)
        {
            return;
        }

        // What is not committed is refused, so that half of the lies stay below.
        ulong release = head.Release + (ulong)(attacker.Random.NextBool(0.5) ? 0 : attacker.Random.NextInt64(1_000));
        ulong rejected = head.Release + (attacker.Random.NextBool(0.5) ? 1ul : 0);
        uint generation = attacker.Random.NextBool(0.1) ? head.Generation + 1 : head.Generation;
        uint topic = attacker.Random.NextBool(0.8) ? attacker.Captured.Topic : (uint)attacker.Random.NextInt32(4);
        LevelRow[] rows = [new LevelRow(topic, generation, release, release, release)];
        switch (attacker.Random.NextInt32(4))
        {
            case 0:
                attacker.TrySend(new Heartbeat(attacker.Random.NextUInt64(), new ViewNumber(attacker.Random.NextUInt64()), rows));
                return;
            case 1:
                attacker.TrySend(new Report(rows, [new RejectionRow(topic, generation, rejected, "forged")]));
                return;
            case 2:
                attacker.TrySend(new PathAnswer(view.RegionId, attacker.Random.NextUInt64(), attacker.Random.NextUInt64()));
                return;
            default:
                attacker.TrySend(new GroupReport(view.RegionId, (GroupState)attacker.Random.NextInt32(3), "forged"));
                return;
        }
    }
}
