using System.Buffers.Binary;
using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Simulator.Faults;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>
/// What a stream must obey under overload. Every node gets every message once, as it was sent. And its pace: few packets are sent only to
/// be dropped, yet the slowest member is kept busy.
/// </summary>
internal sealed class OverloadChecker(SimulatedWorld world, int nodeCount)
{
    public const string DeliveryName = "Delivery";
    public const string PaceName = "Pace";
    private const int DropPercentMax = 20;
    private const int BusyPercentMin = 8;
    private readonly byte[] _expected = OverloadHost.NewRoom();
    private readonly List<ulong>[] _taken = [.. Enumerable.Range(0, nodeCount).Select(_ => new List<ulong>())];
    private readonly long[] _counts = new long[nodeCount];

    private long _drops;
    private long _sent;

    public long DeliveredCount => _counts.Sum();

    public void OnMessage(int slot, ReadOnlySpan<byte> message)
    {
        ulong number = BinaryPrimitives.ReadUInt64LittleEndian(message);
        if (!message.SequenceEqual(OverloadHost.Message(number, _expected)))
        {
            world.Fail(DeliveryName, $"message {number} came changed to node {slot}");
        }

        List<ulong> taken = _taken[slot - 1];
        while ((ulong)taken.Count <= number / 64)
        {
            taken.Add(0);
        }

        ulong bit = 1UL << (int)(number % 64);
        if ((taken[(int)(number / 64)] & bit) != 0)
        {
            world.Fail(DeliveryName, $"message {number} came twice to node {slot}");
        }

        taken[(int)(number / 64)] |= bit;
        _counts[slot - 1]++;
    }

    public void OnSkipped(int slot, ulong from, ulong to) =>
        world.Fail(DeliveryName, $"node {slot} was told to skip {from} to {to}, though nothing was given up");

    public bool HasAll(long sent) => _counts.All(c => c == sent);

    public void CheckAll(long sent)
    {
        if (!HasAll(sent))
        {
            world.Fail(DeliveryName, $"of {sent} messages the nodes have {string.Join(", ", _counts)}");
        }
    }

    /// <summary>From here on drops count.</summary>
    public void StartPace() => (_drops, _sent) = (-world.Faults[FaultKind.ReceiveOverflow], -world.Network.SentCount);

    /// <summary>Up to here.</summary>
    public void StopPace() => (_drops, _sent) = (_drops + world.Faults[FaultKind.ReceiveOverflow], _sent + world.Network.SentCount);

    /// <summary>Checks the time between <see cref="StartPace"/> and <see cref="StopPace"/>.</summary>
    /// <param name="slowestPackets">How many packets of the stream the slowest node has.</param>
    /// <param name="possiblePackets">How many it could have handled in the time.</param>
    public void CheckPace(long slowestPackets, long possiblePackets)
    {
        if (_drops * 100 > _sent * DropPercentMax)
        {
            world.Fail(PaceName, $"{_drops} of {_sent} datagrams were sent into full buffers", world.Machines[0]);
        }

        if (slowestPackets * 100 < possiblePackets * BusyPercentMin)
        {
            world.Fail(
                PaceName, $"the slowest node got {slowestPackets} packets where {possiblePackets} were possible", world.Machines[0]);
        }
    }

    public string Describe(long slowestPackets, long possiblePackets) => string.Create(
        CultureInfo.InvariantCulture,
        $"  overflow {world.Faults[FaultKind.ReceiveOverflow]} of {world.Network.SentCount} sent; settled: "
            + $"overflow {_drops} of {_sent}, the slowest {slowestPackets} packets of {possiblePackets} possible in the flood");

    public void AddTo(ref StableHash hash)
    {
        foreach (long count in _counts)
        {
            hash.Add(count);
        }
    }
}
