using System.Diagnostics.Metrics;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>Listens to the counter of callbacks that failed.</summary>
internal sealed class CountedCallbacks : IDisposable
{
    private readonly MeterListener _listener = new();
    private long _count;

    public CountedCallbacks()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Ripple.Hosting" && instrument.Name == "ripple.hosting.callbacks.failed")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((_, value, _, _) => Interlocked.Add(ref _count, value));
        _listener.Start();
    }

    public long Count => Interlocked.Read(ref _count);

    public void Dispose() => _listener.Dispose();
}
