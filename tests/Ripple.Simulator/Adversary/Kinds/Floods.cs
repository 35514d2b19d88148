using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Views;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>
/// Hundreds of calls and requests at once, each with an answer larger than itself, from a process that does not read for a while.
/// </summary>
internal sealed class Floods : IForgery
{
    private const int CallsMax = 1_200;
    private const long DeafNs = 1_000_000_000;

    /// <inheritdoc/>
    public string Name => "floods";

    /// <inheritdoc/>
    public double Share => 0.05;

    /// <inheritdoc/>
    public int? Turn => 15;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        if (!attacker.Random.NextBool(0.05) || attacker.Captured.View is not { } view)
        {
            return;
        }

        string application = attacker.Captured.Application;
        int kind = attacker.Random.NextInt32(3);
        attacker.Captured.Client.Machine.Pause(DeafNs);
        uint first = 10_000_000 + (uint)attacker.Random.NextInt32(1_000_000);
        for (uint call = first; call < first + CallsMax; call++)
        {
            bool isSent = kind switch
            {
                0 => attacker.TrySend(new ViewRequest(view.RegionId)),
                _ => attacker.TrySend(new Status(call, application)),
            };
            if (!isSent)
            {
                return;
            }
        }
    }
}
