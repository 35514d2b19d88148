using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Checking;

/// <summary>
/// No key seals two different packets with one slot, class and counter: AES-GCM would give away both. Sees what leaves the ports of the
/// processes, and so nothing that an attacker seals. A packet to many counts once: its bytes are the same. A host that is started again
/// within a second may give a key epoch again that its former run gave: its keys are new, and only those of one run differ in epoch.
/// </summary>
internal sealed class NonceChecker : IChecker
{
    // A minute of a cluster has some hundred thousand; beyond that the run's memory matters more.
    private const int PacketsMax = 4_000_000;
    private readonly SimulatedWorld _world;
    private readonly Dictionary<Nonce, UInt128> _tags = [];
    private (string Text, SimulatedMachine Machine)? _found;

    /// <summary>Creates the checker and adds it to the world.</summary>
    public NonceChecker(SimulatedWorld world)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        world.Add(this);
    }

    /// <inheritdoc/>
    public string Name => "Nonces";

    /// <summary>The incarnation of the host whose keys a process seals with; 0 while it has none.</summary>
    public Func<SimulatedMachine, ulong> RunOf { get; set; } = _ => 0;

    /// <summary>Repairs that members sent to members.</summary>
    public long PeerRepairs { get; private set; }

    /// <summary>A process sent a datagram.</summary>
    public void OnSent(SimulatedMachine machine, ReadOnlySpan<byte> datagram)
    {
        if (_found is not null || PacketHeader.TryRead(datagram, out PacketHeader header) != PacketHeaderStatus.Ok)
        {
            return;
        }

        PeerRepairs += header.Slot != 0 && header.Class == PacketClass.Repair ? 1 : 0;
        var nonce = new Nonce(RunOf(machine), header.RegionId, header.KeyEpoch, header.Slot, header.Counter);
        UInt128 tag = BinaryPrimitives.ReadUInt128LittleEndian(datagram[^PacketHeader.TagSize..]);
        if (_tags.TryGetValue(nonce, out UInt128 before))
        {
            if (before != tag)
            {
                // Told between turns: the process that sends must not see what the checker throws.
                _found = ($"{machine.Name} sealed another packet with {nonce}", machine);
            }
        }
        else if (_tags.Count < PacketsMax)
        {
            _tags.Add(nonce, tag);
        }
    }

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (_found is { } found)
        {
            _world.Fail(Name, found.Text, found.Machine);
        }
    }

    private readonly record struct Nonce(ulong Run, ulong Region, uint KeyEpoch, uint Slot, ulong Counter);
}
