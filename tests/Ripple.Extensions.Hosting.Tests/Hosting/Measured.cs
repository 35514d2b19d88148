using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>Listens to the meter of hosting. Other tests of the process measure too.</summary>
internal sealed class Measured : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly ConcurrentQueue<(string Instrument, double Value, string Tags)> _values = new();

    public Measured()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Ripple.Hosting")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.Start();
    }

    public IReadOnlyCollection<(string Instrument, double Value, string Tags)> Values => _values;

    public double Sum(string instrument) => _values.Where(v => v.Instrument == instrument).Sum(v => v.Value);

    public void Dispose() => _listener.Dispose();

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _values.Enqueue((instrument.Name, value, string.Join(',', tags.ToArray().Select(t => $"{t.Key}={t.Value}"))));
}
