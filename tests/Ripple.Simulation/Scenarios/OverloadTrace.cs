using System.Globalization;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Scenarios;

/// <summary>Notes every 100 ms what the sender does and what is lost on full buffers. Only looks.</summary>
internal sealed class OverloadTrace(SimulatedWorld world, TraceLog trace, OverloadHost host, SimulatedMachine machine) : IChecker
{
    private const long EveryNs = 100_000_000;
    private long _nextNs = EveryNs;
    private long _sent;
    private long _overflow;
    private long _cuts;

    /// <inheritdoc/>
    public string Name => "Trace";

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (nowNs < _nextNs)
        {
            return;
        }

        _nextNs += EveryNs;
        long sent = world.Network.SentCount;
        long overflow = world.Faults[FaultKind.ReceiveOverflow];
        long cuts = host.Sender.Counters.PaceCuts;
        trace.Add(
            TraceKind.Noted,
            machine,
            string.Create(
                CultureInfo.InvariantCulture,
                $"in 100 ms {overflow - _overflow} of {sent - _sent} datagrams into full buffers, {cuts - _cuts} cuts of the pace, "
                    + $"which is {host.Sender.PaceBytesPerSecond} bytes/s"));
        (_sent, _overflow, _cuts) = (sent, overflow, cuts);
    }
}
