using System.Buffers.Binary;
using Ripple.Engine.Links;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>The host: takes reports, whose numbers must follow each other on each connection.</summary>
internal sealed class FloodHost(SimulatedMachine machine, FloodChecker flood) : ILinkAcceptor
{
    public const ushort ReportType = LinkFrame.FirstProtocolType;

    public void Listen() => machine.World.Control.Listen(machine, this);

    public void OnLink(ILink link) => link.Handler = new Session(link, flood);

    private sealed class Session(ILink link, FloodChecker flood) : ILinkHandler
    {
        private ulong _number;

        public void OnFrame(ushort type, ReadOnlySpan<byte> body)
        {
            ulong number = BinaryPrimitives.ReadUInt64LittleEndian(body);
            if (number != _number + 1)
            {
                flood.Fail($"report {number} of {link.Peer.Name} came after report {_number}");
            }

            _number = number;
            flood.OnReport((int)link.Peer.NodeIdLow);
        }

        public void OnWritable()
        {
        }

        public void OnClosed(string reason)
        {
        }
    }
}
