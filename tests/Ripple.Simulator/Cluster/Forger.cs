using Ripple.Engine.Core;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;
using Ripple.Simulator.Adversary.Kinds;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Cluster;

/// <summary>
/// A compromised member: it has the region's key, sees the traffic, and seals arbitrary packets, including in the host's name. It cannot
/// sign releases.
/// </summary>
internal sealed class Forger : IDisposable
{
    private readonly SimulatedWorld _world;
    private readonly SimulatedClient _captured;
    private readonly IReadOnlyList<SimulatedClient> _victims;
    private readonly DeterministicRandom _random;
    private ulong _counter = 1UL << 40;
    private uint _keyEpoch;
    private ulong _regionId;
    private PacketSealer? _asHost;
    private PacketSealer? _asItself;
    private RegionKey? _key;
    private RegionKey? _ownKey;

    /// <summary>Creates a forger with the key of one client, attacking others in its region.</summary>
    public Forger(SimulatedWorld world, SimulatedClient captured, IReadOnlyList<SimulatedClient> victims)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        _captured = captured;
        _victims = victims;
        _random = world.Random.Fork(11);
    }

    /// <summary>The number of forged datagrams sent.</summary>
    public long SentCount { get; private set; }

    /// <summary>
    /// Called when a release is committed: forges one in its place (its header with other values, or with short forms that lead to others),
    /// before the host sends the original.
    /// </summary>
    public void OnCommitted(uint topic, ReleaseHeader header, ReleaseSignature? signature)
    {
        ArgumentNullException.ThrowIfNull(header);
        if (signature is null || !_random.NextBool(0.2))
        {
            return;
        }

        Send(topic, Altered(header, signature), asHost: true);
    }

    /// <summary>Sends a forged release.</summary>
    /// <param name="topic">The application's topic number.</param>
    /// <param name="head">The newest committed release, on which the forged one is based.</param>
    public void Forge(uint topic, ReleaseHeader head)
    {
        ArgumentNullException.ThrowIfNull(head);
        byte[] value = new byte[20];
        KeyChange[] changes = [KeyChange.Set("key-0", KeyForm.Bytes, value)];
        byte[] noSignature = new byte[ReleaseSignature.SignatureBytes];
        var header = new ReleaseHeader
        {
            Kind = ReleaseKind.Changes,
            Application = head.Application,
            Generation = head.Generation,
            Release = head.Release + 1,
            SlotEpoch = head.SlotEpoch,
            PreviousId = head.Id,
            PublishId = Guid.Empty,
            Actor = "forger",
            TimeUnixMicros = 0,
            Note = "forged",
            Changes = [.. changes],
            StateRoot = ForgedRoot(head, changes),
        };
        byte[] message = ReleaseMessage.Encode(header, new ReleaseSignature(1, noSignature), _ => value, 1_000);
        Send(topic, message, asHost: _random.NextBool(0.7));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _key?.Dispose();
        _ownKey?.Dispose();
    }

    private byte[] Altered(ReleaseHeader header, ReleaseSignature signature) => ReleaseMessage.Encode(
        header,
        signature,
        digest => new byte[LengthOf(header, digest)],
        1_000,
        null,
        _random.NextBool(0.5) ? ReleaseForgery.ShortForms(_random, header) : null);

    private static int LengthOf(ReleaseHeader header, Digest160 digest) => header.Changes.First(c => c.Digest == digest).Length;

    /// <summary>Computes a matching root, as a forger that knows the state would: then only the signature can reveal the forgery.</summary>
    private Digest160 ForgedRoot(ReleaseHeader head, KeyChange[] changes)
    {
        ReleaseState? state = _captured.Node?.Find(head.Application)?.Received.Keys;
        return state is not null && state.Id == head.Id ? state.Trie.Apply(changes).Root : head.StateRoot;
    }

    private void Send(uint topic, byte[] message, bool asHost)
    {
        if (_captured.Accepted is not { } accepted || message.Length > 1_200)
        {
            return;
        }

        if (_key is null || _keyEpoch != accepted.KeyEpoch || _regionId != accepted.View.RegionId)
        {
            _keyEpoch = accepted.KeyEpoch;
            _regionId = accepted.View.RegionId;
            Dispose();
            // A second sealer of a slot reuses its nonces, which a forger does not care about.
            _key = new RegionKey(accepted.KeyEpoch, accepted.Key.Span);
            _ownKey = new RegionKey(accepted.KeyEpoch, accepted.Key.Span);
            _asHost = new PacketSealer(accepted.View.RegionId, _key, 0);
            _asItself = new PacketSealer(accepted.View.RegionId, _ownKey, accepted.Slot);
        }

        SimulatedClient victim = _victims[_random.NextInt32(_victims.Count)];
        if (victim.Accepted is not { } target || target.View.RegionId != accepted.View.RegionId)
        {
            return;
        }

        byte[] datagram = new byte[WireLimits.DatagramBytesMax];
        var writer = new WireWriter(datagram.AsSpan(PacketHeader.Size, WireLimits.FramesBytesMax));
        int frame = FrameWriter.Begin(ref writer, FrameType.Position);
        writer.WriteU64(accepted.HostIncarnation);
        writer.WriteU64(target.FirstSequence + (ulong)_random.NextInt64(200));
        FrameWriter.End(ref writer, frame);
        frame = FrameWriter.Begin(ref writer, FrameType.Message);
        writer.WriteU32(topic);
        writer.WriteU64(++_counter);
        writer.WriteU32(0);
        writer.WriteU32((uint)message.Length);
        writer.WriteBytes(message);
        if (!FrameWriter.End(ref writer, frame))
        {
            return;
        }

        int length = (asHost ? _asHost! : _asItself!).Seal(datagram, writer.Position, PacketClass.Data);
        if (length > 0 && victim.DataAddress is { } to)
        {
            SentCount++;
            _world.Network.Inject(to, datagram.AsSpan(0, length));
        }
    }
}
