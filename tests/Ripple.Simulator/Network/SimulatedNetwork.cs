using System.Buffers.Binary;
using System.Numerics;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Network;

/// <summary>
/// The datagram network of a simulated world. It loses, delays, reorders, duplicates and corrupts datagrams according to the paths, and
/// obeys partitions. The address of machine i is 10.0.0.0 plus i + 1. Belongs to the simulation's thread.
/// </summary>
internal sealed class SimulatedNetwork
{
    private const uint AddressBase = 10u << 24;
    private readonly SimulatedWorld _world;
    private readonly DeterministicRandom _random;
    private readonly Dictionary<ulong, SimulatedPort> _ports = [];
    private readonly HashSet<ulong> _used = [];
    private readonly SortedDictionary<ulong, List<SimulatedPort>> _groups = [];
    private readonly Stack<Datagram> _free = new();
    private ushort _nextPort = 40_000;
    private StableHash _hash = StableHash.Create();

    internal SimulatedNetwork(SimulatedWorld world, NetworkOptions options, DeterministicRandom random)
    {
        _world = world;
        Options = options;
        _random = random;
    }

    /// <summary>The sizes.</summary>
    public NetworkOptions Options { get; }

    /// <summary>Sees every datagram that leaves a port; null for none.</summary>
    public DatagramObserver? Tap { get; set; }

    /// <summary>Checks the nonces of what processes send; null (the default) for nobody.</summary>
    public NonceChecker? Nonces { get; set; }

    /// <summary>The recently sent datagrams; null until <see cref="StartRecording"/>.</summary>
    public PacketRecorder? Recorder { get; private set; }

    /// <summary>While true, datagrams sent to a group reach no one. Default false.</summary>
    public bool AreGroupsSilent { get; set; }

    /// <summary>The number of datagrams sent.</summary>
    public long SentCount { get; private set; }

    /// <summary>The number of datagrams that reached a receive buffer.</summary>
    public long DeliveredCount { get; private set; }

    internal SimulationScheduler Scheduler => _world.Scheduler;

    internal FaultCounters Faults => _world.Faults;

    internal IDeliveryObserver? Observer => _world.Observer;

    internal long NowNs => _world.Scheduler.NowNs;

    /// <summary>Opens a port for the process running on a machine.</summary>
    /// <param name="machine">The machine; a process runs on it.</param>
    /// <param name="port">The port number; 0 (the default) for one not used recently, as for a new process.</param>
    /// <param name="receiveBufferBytes">The size of the receive buffer; 0 (the default) for the network's default.</param>
    /// <exception cref="InvalidOperationException">The port is in use.</exception>
    public SimulatedPort Open(SimulatedMachine machine, ushort port = 0, int receiveBufferBytes = 0)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentOutOfRangeException.ThrowIfNegative(receiveBufferBytes);
        NodeAddress address = AddressOf(machine, port == 0 ? NextPort() : port);
        while (port == 0 && _ports.ContainsKey(KeyOf(address)))
        {
            address = AddressOf(machine, NextPort());
        }

        if (_ports.ContainsKey(KeyOf(address)))
        {
            throw new InvalidOperationException($"{address} of {machine} is in use.");
        }

        var opened = new SimulatedPort(this, machine, address, receiveBufferBytes == 0 ? Options.ReceiveBufferBytes : receiveBufferBytes);
        _ports.Add(KeyOf(address), opened);
        _used.Add(KeyOf(address));
        return opened;
    }

    /// <summary>Opens a port that receives datagrams sent to a multicast group; each copy takes its own path from the sender.</summary>
    /// <param name="machine">The machine; a process runs on it.</param>
    /// <param name="group">The group, within 224.0.0.0/4.</param>
    public SimulatedPort OpenGroup(SimulatedMachine machine, NodeAddress group)
    {
        SimulatedPort port = Open(machine);
        if (!_groups.TryGetValue(KeyOf(group), out List<SimulatedPort>? members))
        {
            _groups.Add(KeyOf(group), members = []);
        }

        members.Add(port);
        return port;
    }

    /// <summary>Whether anybody ever listened at an address.</summary>
    public bool IsUsed(in NodeAddress address) => IsGroup(address) || _used.Contains(KeyOf(address));

    /// <summary>The address of a machine's port.</summary>
    public static NodeAddress AddressOf(SimulatedMachine machine, ushort port)
    {
        ArgumentNullException.ThrowIfNull(machine);
        return NodeAddress.FromIPv4(AddressBase + (uint)machine.Index + 1, port);
    }

    /// <summary>Sends an attacker's datagram to a port: it arrives after the delay, regardless of partitions.</summary>
    /// <param name="to">The port.</param>
    /// <param name="datagram">The bytes.</param>
    /// <param name="delayNs">The delay.</param>
    /// <param name="forgery">What <see cref="IDeliveryObserver"/> is told of it; 0 (the default) tells nothing.</param>
    /// <returns>How many copies are under way: one, or one for each member of a group.</returns>
    public int Inject(NodeAddress to, ReadOnlySpan<byte> datagram, long delayNs = 0, int forgery = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(datagram.Length, WireLimits.DatagramBytesMax, nameof(datagram));
        if (IsGroup(to))
        {
            SimulatedPort[] members = _groups.TryGetValue(KeyOf(to), out List<SimulatedPort>? joined) ? [.. joined] : [];
            foreach (SimulatedPort member in members)
            {
                Inject(member.LocalAddress, datagram, delayNs, forgery);
            }

            return members.Length;
        }

        Datagram made = Make(to, datagram);
        made.Forgery = forgery;
        made.RepeatedMax = 2;
        Scheduler.ScheduleAt(NowNs + delayNs, made);
        return 1;
    }

    /// <summary>Starts recording the most recent datagrams.</summary>
    public PacketRecorder StartRecording(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(capacity);
        return Recorder = new PacketRecorder(capacity);
    }

    /// <summary>Adds all deliveries and their times to a state hash.</summary>
    public void AddTo(ref StableHash hash)
    {
        hash.Add(SentCount);
        hash.Add(DeliveredCount);
        hash.Add(_hash.Value);
    }

    internal void Send(SimulatedPort from, in NodeAddress to, ReadOnlySpan<byte> datagram, long departureNs)
    {
        SentCount++;
        Tap?.Invoke(from.LocalAddress, to, datagram);
        Recorder?.Record(from.LocalAddress, to, datagram);
        if (!IsGroup(to))
        {
            Route(from, to, datagram, departureNs);
        }
        else if (!AreGroupsSilent && _groups.TryGetValue(KeyOf(to), out List<SimulatedPort>? members))
        {
            foreach (SimulatedPort member in members)
            {
                Route(from, member.LocalAddress, datagram, departureNs);
            }
        }
    }

    private void Route(SimulatedPort from, in NodeAddress to, ReadOnlySpan<byte> datagram, long departureNs)
    {
        SimulatedMachine? target = MachineOf(to);
        if (target is null)
        {
            Faults.Add(FaultKind.DatagramUnreachable);
            return;
        }

        if (target.IsDeaf || _world.Connectivity.IsBlocked(from.Machine, target))
        {
            Faults.Add(FaultKind.DatagramBlocked);
            _world.Trace?.AddMessage(from.Machine, target, departureNs, -1, -1, datagram.Length);
            return;
        }

        PathProfile path = _world.Paths.Between(from.Machine, target);
        _world.Script.Place(_random, "datagram", from.Machine, target);
        if (IsHit(path.Loss))
        {
            Faults.Add(FaultKind.DatagramLost);
            _world.Trace?.AddMessage(from.Machine, target, departureNs, -1, -1, datagram.Length);
            return;
        }

        Launch(from, to, target, datagram, departureNs, path);
        if (IsHit(path.Duplication))
        {
            Faults.Add(FaultKind.DatagramDuplicated);
            Launch(from, to, target, datagram, departureNs, path, isCopy: true);
        }
    }

    internal void OnArrival(Datagram datagram)
    {
        if (!_ports.TryGetValue(KeyOf(datagram.To), out SimulatedPort? port))
        {
            Faults.Add(FaultKind.DatagramUnreachable);
            Free(datagram);
            return;
        }

        if (!port.TryReceive(datagram))
        {
            Faults.Add(FaultKind.ReceiveOverflow);
            Free(datagram);
            return;
        }

        DeliveredCount++;
        _hash.Add(NowNs);
        _hash.Add(((ulong)Checksum(datagram.Span) << 32) ^ KeyOf(datagram.To));
    }

    internal void Free(Datagram datagram) => _free.Push(datagram);

    internal void Close(SimulatedPort port)
    {
        _ports.Remove(KeyOf(port.LocalAddress));
        foreach (List<SimulatedPort> members in _groups.Values)
        {
            members.Remove(port);
        }
    }

    internal static uint Checksum(ReadOnlySpan<byte> bytes)
    {
        uint crc = (uint)bytes.Length;
        while (bytes.Length >= 8)
        {
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            bytes = bytes[8..];
        }

        foreach (byte value in bytes)
        {
            crc = BitOperations.Crc32C(crc, value);
        }

        return crc;
    }

    private static bool IsGroup(in NodeAddress address) => (address.Low & 0xF000_0000) == 0xE000_0000;

    private static ulong KeyOf(in NodeAddress address) => ((address.Low & 0xFFFF_FFFF) << 16) | address.Port;

    private void Launch(
        SimulatedPort from,
        in NodeAddress to,
        SimulatedMachine target,
        ReadOnlySpan<byte> bytes,
        long departureNs,
        PathProfile path,
        bool isCopy = false)
    {
        Datagram datagram = Make(to, bytes);
        // Whichever of the two comes second is refused: when the copy has come, one is.
        datagram.RepeatedMax = isCopy ? 1 : 0;
        if (IsHit(path.Corruption) && bytes.Length > 0)
        {
            Faults.Add(FaultKind.DatagramCorrupted);
            int bit = _random.NextInt32(bytes.Length * 8);
            datagram.Bytes[bit / 8] ^= (byte)(1 << (bit % 8));
            datagram.RepeatedMax++;
        }

        long arrivalNs = departureNs + path.LatencyNs + _random.NextInt64(path.JitterNs);
        if (IsHit(path.Reorder))
        {
            Faults.Add(FaultKind.DatagramReordered);
            arrivalNs += 1 + _random.NextInt64(path.ReorderDelayNs);
        }
        else if (_ports.TryGetValue(KeyOf(to), out SimulatedPort? port))
        {
            arrivalNs = port.InOrder(from.Machine.Index, arrivalNs);
        }

        _world.Trace?.AddMessage(from.Machine, target, departureNs, arrivalNs, -1, bytes.Length);
        Scheduler.ScheduleAt(arrivalNs, datagram);
    }

    private Datagram Make(in NodeAddress to, ReadOnlySpan<byte> bytes)
    {
        if (!_free.TryPop(out Datagram? datagram))
        {
            datagram = new Datagram(this);
        }

        bytes.CopyTo(datagram.Bytes);
        datagram.Length = bytes.Length;
        datagram.To = to;
        datagram.Forgery = 0;
        datagram.RepeatedMax = 0;
        return datagram;
    }

    private ushort NextPort() => _nextPort = _nextPort == ushort.MaxValue ? (ushort)40_000 : (ushort)(_nextPort + 1);

    private SimulatedMachine? MachineOf(in NodeAddress address)
    {
        ulong index = (address.Low & 0xFFFF_FFFF) - AddressBase - 1;
        return index < (ulong)_world.Machines.Count ? _world.Machines[(int)index] : null;
    }

    private bool IsHit(double probability) => probability > 0 && _random.NextDouble() < probability;
}
