using System.Buffers;
using System.Text;
using System.Text.Json;
using Ripple.Engine.Links;
using Ripple.Simulation.Runs;
using Ripple.Simulator.Simulation;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulation.Timelines;

/// <summary>What happened in one run, as JSON: times are in microseconds of simulated time, machines and releases are indexes.</summary>
internal sealed class Timeline
{
    private readonly TraceLog _trace;
    private readonly RunResult _result;
    private readonly string _title;
    private readonly List<ReleaseLabel> _releases;

    /// <summary>The timeline of a run that is over.</summary>
    public Timeline(TraceLog trace, RunResult result, string title)
    {
        ArgumentNullException.ThrowIfNull(trace);
        _trace = trace;
        _result = result;
        _title = title;
        _releases = [.. trace.Events.Where(e => e.Release is not null).Select(e => e.Release!.Value).Distinct()
            .OrderBy(r => r.Generation).ThenBy(r => r.Number).ThenBy(r => r.Name, StringComparer.Ordinal)];
    }

    private IReadOnlyList<SimulatedMachine> Machines => _trace.World?.Machines ?? [];

    /// <summary>One line of JSON for the run, then one for each event, then one for each message.</summary>
    public IEnumerable<string> ToLines()
    {
        yield return Write(json =>
        {
            json.WriteStartObject();
            WriteHead(json);
            json.WriteEndObject();
        });
        foreach (TraceEvent happened in _trace.Events)
        {
            yield return Write(json => WriteEvent(json, happened));
        }

        foreach (TraceMessage message in _trace.Messages)
        {
            yield return Write(json => WriteMessage(json, message));
        }
    }

    /// <summary>All of it as one object, with events and messages as arrays.</summary>
    public string ToJson() => Write(json =>
    {
        json.WriteStartObject();
        WriteHead(json);
        json.WriteStartArray("events");
        foreach (TraceEvent happened in _trace.Events)
        {
            WriteShortEvent(json, happened);
        }

        json.WriteEndArray();
        json.WriteStartArray("messages");
        foreach (TraceMessage message in _trace.Messages.OrderBy(m => m.SentNs))
        {
            json.WriteStartArray();
            json.WriteNumberValue(Micros(message.SentNs));
            json.WriteNumberValue(message.ArrivedNs < 0 ? -1 : Micros(message.ArrivedNs));
            json.WriteNumberValue(message.From);
            json.WriteNumberValue(message.To);
            json.WriteNumberValue(message.Type);
            json.WriteEndArray();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    });

    private static double Micros(long ns) => ns / 1_000.0;

    /// <summary>The writer escapes all that has a meaning in HTML.</summary>
    private static string Write(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            write(json);
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private void WriteHead(Utf8JsonWriter json)
    {
        json.WriteString("title", _title);
        json.WriteNumber("seed", _result.Seed);
        json.WriteString("checker", _result.Checker);
        json.WriteString("violation", _result.Violation);
        json.WriteNumber("end_us", Micros(_result.SimulatedNs));
        json.WriteNumber("messages_dropped", _trace.DroppedMessageCount);
        json.WriteStartArray("kinds");
        foreach (string kind in Enum.GetNames<TraceKind>())
        {
            json.WriteStringValue(kind);
        }

        json.WriteEndArray();
        json.WriteStartArray("machines");
        foreach (SimulatedMachine machine in Machines)
        {
            json.WriteStartObject();
            json.WriteString("name", machine.Name);
            json.WriteString("zone", machine.Zone);
            json.WriteBoolean("is_host", machine.Peer.Kind == LinkPeerKind.Host);
            json.WriteBoolean("absent", machine.IsAbsent);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("releases");
        foreach (ReleaseLabel release in _releases)
        {
            json.WriteStartObject();
            json.WriteNumber("generation", release.Generation);
            json.WriteNumber("number", release.Number);
            json.WriteString("name", release.Name);
            json.WriteString("label", release.ToString());
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteEvent(Utf8JsonWriter json, TraceEvent happened)
    {
        json.WriteStartObject();
        json.WriteNumber("us", Micros(happened.Ns));
        if (happened.EndNs != happened.Ns)
        {
            json.WriteNumber("until_us", Micros(happened.EndNs));
        }

        json.WriteString("kind", happened.Kind.ToString());
        json.WriteStartArray("machines");
        foreach (SimulatedMachine machine in happened.Machines)
        {
            json.WriteStringValue(machine.Name);
        }

        json.WriteEndArray();
        if (happened.Release is { } release)
        {
            json.WriteString("release", release.Name);
        }

        if (happened.Publish is { } publish)
        {
            json.WriteString("publish", publish);
        }

        if (happened.Wait is { } wait)
        {
            json.WriteString("wait", wait);
        }

        json.WriteString("text", happened.Text);
        json.WriteEndObject();
    }

    private void WriteShortEvent(Utf8JsonWriter json, TraceEvent happened)
    {
        json.WriteStartArray();
        json.WriteNumberValue(Micros(happened.Ns));
        json.WriteNumberValue(Micros(Math.Min(happened.EndNs, _result.SimulatedNs)));
        json.WriteNumberValue((int)happened.Kind);
        json.WriteStartArray();
        foreach (SimulatedMachine machine in happened.Machines)
        {
            json.WriteNumberValue(machine.Index);
        }

        json.WriteEndArray();
        json.WriteNumberValue(happened.Release is { } release ? _releases.IndexOf(release) : -1);
        json.WriteStringValue(happened.Text);
        json.WriteEndArray();
    }

    private void WriteMessage(Utf8JsonWriter json, TraceMessage message)
    {
        json.WriteStartObject();
        json.WriteNumber("us", Micros(message.SentNs));
        json.WriteString("from", Machines[message.From].Name);
        json.WriteString("to", Machines[message.To].Name);
        if (message.ArrivedNs >= 0)
        {
            json.WriteNumber("arrives_us", Micros(message.ArrivedNs));
        }

        if (message.Type >= 0)
        {
            json.WriteNumber("frame", message.Type);
        }

        json.WriteNumber("bytes", message.Bytes);
        json.WriteEndObject();
    }
}
