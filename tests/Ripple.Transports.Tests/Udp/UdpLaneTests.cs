using Ripple.Engine.Core;
using Ripple.Transports.Tests.Running;
using Ripple.Transports.Udp;

namespace Ripple.Transports.Tests.Udp;

public sealed class UdpLaneTests
{
    // More than one turn reads.
    private const int Count = 100;

    [Theory]
    [MemberData(nameof(CoreOnThread.Kinds), MemberType = typeof(CoreOnThread))]
    public async Task What_is_left_in_the_kernel_is_known_by_its_lane(string kind)
    {
        using var core = new CoreOnThread(kind);
        var handler = new Handler(core.Ports);
        await CoreOnThread.Soon(core.Runner.RunAsync(() =>
        {
            UdpPort from = core.Ports.Open();
            UdpPort to = core.Ports.Open(new UdpPortOptions { Lane = PortLane.Control });
            to.Handler = handler;
            for (int i = 0; i < Count; i++)
            {
                Assert.Equal(SendStatus.Sent, from.Send(to.LocalAddress, [0x11, 0, 0, 0]));
            }
        }));

        await CoreOnThread.Soon(handler.Done);
        Assert.Equal((true, false), handler.LeftAtFirst);
        Assert.False(await CoreOnThread.Soon(core.Runner.RunAsync(() => core.Ports.HasWaiting(PortLane.Control))));
    }

    private sealed class Handler(UdpPorts ports) : IDatagramHandler
    {
        private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _handled;

        /// <summary>Which lanes had more in the kernel when the first one was handled.</summary>
        public (bool Control, bool Data) LeftAtFirst { get; private set; }

        public Task Done => _done.Task;

        public void OnDatagram(Span<byte> datagram)
        {
            _handled++;
            if (_handled == 1)
            {
                LeftAtFirst = (ports.HasWaiting(PortLane.Control), ports.HasWaiting(PortLane.Data));
            }
            else if (_handled == Count)
            {
                _done.SetResult();
            }
        }
    }
}
