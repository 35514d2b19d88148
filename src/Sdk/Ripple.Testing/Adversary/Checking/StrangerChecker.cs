using Ripple.Engine.Core;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary.Checking;

/// <summary>
/// A host does not send a stream to whatever address a member names: somebody who never took part gets no more than a few packets, as many
/// as it takes to ask whether anybody is there. And honest members send nothing there at all: they are told of nobody who did not answer.
/// </summary>
internal sealed class StrangerChecker(SimulatedWorld world)
{
    private const string Name = "Strangers";

    /// <summary>A small packet or two for each of the joins of a run.</summary>
    private const long BytesMax = 16 * 1_024;

    private readonly SortedDictionary<(ulong Host, ushort Port), (long Packets, long Bytes)> _sent = [];

    /// <summary>Called when an honest member sends a datagram.</summary>
    public void OnSentByMember(in NodeAddress to, int length)
    {
        if (!world.Network.IsUsed(to))
        {
            world.Fail(Name, $"a member has sent a packet of {length} bytes to {to}, where nobody ever listened");
        }
    }

    /// <summary>Called when a host sends a datagram.</summary>
    public void OnSent(in NodeAddress to, int length)
    {
        if (world.Network.IsUsed(to))
        {
            return;
        }

        (long packets, long bytes) = _sent.GetValueOrDefault((to.Low, to.Port));
        _sent[(to.Low, to.Port)] = (++packets, bytes += length);
        if (bytes > BytesMax)
        {
            world.Fail(Name, $"a host has sent {packets} packets of {bytes} bytes to {to}, where nobody ever listened");
        }
    }
}
