using System.Diagnostics.Metrics;
using System.Reflection;
using Ripple.Client.Diagnostics;
using Ripple.Engine.Caching;

namespace Ripple.Client.Tests;

/// <summary>What processes do for each other is told by the meter of the client.</summary>
public sealed class RepairMeterTests
{
    [Fact]
    public void Repairs_of_nodes_are_summed_and_stay_when_a_node_ends()
    {
        using Listening listening = new();
        (long made, long received, long missed) before = listening.Read();
        var one = new CachingCounters();
        var other = new CachingCounters();
        ClientTelemetry.Started(one);
        ClientTelemetry.Started(other);
        Set(one, nameof(CachingCounters.Repairs), 3);
        Set(one, nameof(CachingCounters.Received), 4);
        Set(other, nameof(CachingCounters.Misses), 5);
        ClientTelemetry.Ended(one);
        ClientTelemetry.Ended(one);
        Set(other, nameof(CachingCounters.Repairs), 10);
        Assert.Equal((before.made + 13, before.received + 4, before.missed + 5), listening.Read());
        ClientTelemetry.Ended(other);
        Assert.Equal((before.made + 13, before.received + 4, before.missed + 5), listening.Read());
    }

    private static void Set(CachingCounters counters, string name, long value) =>
        typeof(CachingCounters).GetProperty(name, BindingFlags.Instance | BindingFlags.Public)!.SetValue(counters, value);

    private sealed class Listening : IDisposable
    {
        private readonly MeterListener _listener = new();
        private readonly Dictionary<string, long> _values = [];

        public Listening()
        {
            _listener.InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Name.StartsWith("ripple.client.repairs.", StringComparison.Ordinal))
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            };
            _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => _values[instrument.Name] = value);
            // The instruments exist once a node does.
            var counters = new CachingCounters();
            ClientTelemetry.Started(counters);
            ClientTelemetry.Ended(counters);
            _listener.Start();
        }

        public (long Made, long Received, long Missed) Read()
        {
            _listener.RecordObservableInstruments();
            return (
                _values["ripple.client.repairs.made"],
                _values["ripple.client.repairs.received"],
                _values["ripple.client.repairs.missed"]);
        }

        public void Dispose() => _listener.Dispose();
    }
}
