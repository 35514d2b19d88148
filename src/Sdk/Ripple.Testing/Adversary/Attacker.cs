using Ripple.Engine.Core;
using Ripple.Engine.Protocol;
using Ripple.Engine.Regions;
using Ripple.Engine.Wire;
using Ripple.Testing.Adversary.Kinds;
using Ripple.Testing.Network;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Adversary;

/// <summary>
/// A member, later maybe a former one, that forges all the wire allows: it has the region's key, a slot, a control connection and an
/// identity, and cannot sign. Each kind of forgery is a class in <see cref="Kinds"/>. Outside all cores.
/// </summary>
internal sealed class Attacker
{
    private const long DelayNsMax = 400_000;
    private const ulong FirstCount = 1UL << 32;
    private readonly AttackOptions _options;
    private readonly Disguise _disguise;
    private readonly List<IForgery> _kinds = [];
    private ulong _count;

    /// <summary>Creates an attacker; it begins with <see cref="Start"/>.</summary>
    public Attacker(SimulatedWorld world, CapturedMember captured, DeterministicRandom random, AttackOptions options)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(captured);
        ArgumentNullException.ThrowIfNull(options);
        World = world;
        Captured = captured;
        Random = random;
        _options = options;
        _disguise = new Disguise(captured);
        Recorder = world.Network.StartRecording(512);
        Tally = new ForgeryTally();
        if (options.Kinds is { } kinds)
        {
            _kinds.AddRange(kinds);
            return;
        }

        _kinds.AddRange(ForgeryKinds.Draw(random, world.Seed));
    }

    /// <summary>The world.</summary>
    public SimulatedWorld World { get; }

    /// <summary>What it knows.</summary>
    public CapturedMember Captured { get; }

    /// <summary>Its chance.</summary>
    public DeterministicRandom Random { get; }

    /// <summary>The datagrams recorded on the network.</summary>
    public PacketRecorder Recorder { get; }

    /// <summary>What became of its forgeries.</summary>
    public ForgeryTally Tally { get; }

    /// <summary>The kinds of this run.</summary>
    public IReadOnlyList<IForgery> Kinds => _kinds;

    /// <summary>The number of the kind that is forged now.</summary>
    public int Current { get; private set; }

    /// <summary>Whether its time is not over, and it does not rest.</summary>
    public bool IsActive => World.Scheduler.NowNs < _options.EndNs && !_options.Calms.IsCalm(World.Scheduler.NowNs);

    /// <summary>The name of a kind by its number in <see cref="Datagram.Forgery"/>.</summary>
    public string NameOf(int forgery) => _kinds[forgery - 1].Name;

    /// <summary>Whether a kind, by its number, sends what others sealed.</summary>
    public bool IsReplay(int forgery) => _kinds[forgery - 1] is Replays;

    /// <summary>Schedules the forgeries. Call once, at simulated time 0.</summary>
    public void Start()
    {
        if (_kinds.Count > 0)
        {
            World.Scheduler.Schedule(_options.StartNs, Act);
        }
    }

    /// <summary>Forges once, of one kind.</summary>
    public void Forge(IForgery kind)
    {
        Resume(_kinds.IndexOf(kind) + 1);
        kind.Forge(this);
    }

    /// <summary>A number above that of every aggregate that the captured member itself has sent.</summary>
    public ulong NextCount() => FirstCount + ++_count;

    /// <summary>Another member of the region; null when there is none.</summary>
    public RegionMember? Victim()
    {
        IReadOnlyList<RegionMember> others = Captured.Others;
        return others.Count == 0 ? null : others[Random.NextInt32(others.Count)];
    }

    /// <summary>One other member, or all of them.</summary>
    public IReadOnlyList<RegionMember> Victims() => Victim() is not { } one ? [] : Random.NextBool(0.5) ? [one] : Captured.Others;

    /// <summary>Sends a packet to a member.</summary>
    public void ToMember(RegionMember member, uint slot, PacketClass packetClass, ReadOnlySpan<byte> frames, ulong number = 0)
    {
        ArgumentNullException.ThrowIfNull(member);
        bool isData = packetClass is PacketClass.Repair or PacketClass.Data;
        Send(isData ? member.DataAddress : member.ControlAddress, slot, packetClass, frames, number);
    }

    /// <summary>Sends a packet to the host, mostly to the port where it belongs.</summary>
    public void ToHost(uint slot, PacketClass packetClass, ReadOnlySpan<byte> frames, ulong number = 0)
    {
        if (Captured.Accepted is { } accepted)
        {
            bool isData = Random.NextBool(0.1);
            Send(isData ? accepted.HostDataAddress : accepted.HostControlAddress, slot, packetClass, frames, number);
        }
    }

    /// <summary>Sends a packet to any address.</summary>
    public void ToAddress(NodeAddress to, uint slot, PacketClass packetClass, ReadOnlySpan<byte> frames, ulong number = 0) =>
        Send(to, slot, packetClass, frames, number);

    /// <summary>Sends bytes as they are.</summary>
    public void Send(NodeAddress to, ReadOnlySpan<byte> datagram) =>
        Tally.OnSent(Current, World.Network.Inject(to, datagram, 1 + Random.NextInt64(DelayNsMax), Current));

    /// <summary>Goes on, after an answer, with what a kind began.</summary>
    public void Resume(int forgery)
    {
        Captured.Look();
        Current = forgery;
    }

    /// <summary>Sends a frame on the captured member's connection; false when there is none, or no room.</summary>
    public bool TrySend<T>(T message)
        where T : class, IMessage<T> => TrySend((ushort)T.Type, MessageCodec.Encode(message));

    /// <summary>Sends a frame on the captured member's connection; false when there is none, or no room.</summary>
    public bool TrySend(ushort type, ReadOnlySpan<byte> body) =>
        Captured.Link is SimulatedLink link && TrySend(link, type, body, Current);

    /// <summary>Sends a frame of a kind on a connection of its own.</summary>
    public bool TrySend(SimulatedLink link, ushort type, ReadOnlySpan<byte> body, int forgery)
    {
        ArgumentNullException.ThrowIfNull(link);
        if (!link.TrySend(type, body, forgery))
        {
            return false;
        }

        Tally.OnSent(forgery);
        return true;
    }

    private void Send(NodeAddress to, uint slot, PacketClass packetClass, ReadOnlySpan<byte> frames, ulong number)
    {
        byte[] datagram = new byte[WireLimits.DatagramBytesMax];
        frames.CopyTo(datagram.AsSpan(PacketHeader.Size));
        int length = _disguise.Seal(datagram, frames.Length, slot, packetClass, to, number);
        if (length > 0)
        {
            Send(to, datagram.AsSpan(0, length));
        }
    }

    private void Act()
    {
        if (World.Scheduler.NowNs >= _options.EndNs)
        {
            return;
        }

        if (IsActive)
        {
            Forge(_kinds[Random.NextInt32(_kinds.Count)]);
        }

        World.Scheduler.Schedule(1 + Random.NextInt64(2 * _options.EveryNs), Act);
    }
}
