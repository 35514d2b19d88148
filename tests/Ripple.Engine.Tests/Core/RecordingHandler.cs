using Ripple.Engine.Core;

namespace Ripple.Engine.Tests.Core;

/// <summary>Notes the content of what it is handed.</summary>
internal sealed class RecordingHandler : IDatagramHandler
{
    public List<byte> Contents { get; } = [];

    public Action? OnNext { get; set; }

    public void OnDatagram(Span<byte> datagram)
    {
        Contents.Add(datagram[2]);
        OnNext?.Invoke();
    }
}
