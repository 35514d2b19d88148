using System.Buffers.Binary;
using Ripple.Engine.Core;
using Ripple.Testing.Simulation;

namespace Ripple.Simulation.Scenarios;

/// <summary>The host: takes reports, whose numbers must follow each other on each connection.</summary>
internal sealed class FloodHost(SimulatedMachine machine, FloodChecker flood) : IControlAcceptor
{
    public const ushort ReportType = ControlFrame.FirstProtocolType;

    public void Listen() => machine.World.Control.Listen(machine, this);

    public void OnLink(IControlLink link) => link.Handler = new Session(link, flood);

    private sealed class Session(IControlLink link, FloodChecker flood) : IControlLinkHandler
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
