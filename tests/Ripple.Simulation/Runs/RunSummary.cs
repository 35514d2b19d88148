using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Ripple.Engine.Core;

namespace Ripple.Simulation.Runs;

/// <summary>The results of many seeds, added in the order of the seeds.</summary>
internal sealed class RunSummary
{
    private const int FailedSeedsMax = 1_000;
    private readonly SortedDictionary<string, long> _faults = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, ulong> _foundBy = new(StringComparer.Ordinal);
    private readonly List<string> _failedSeeds = [];
    private StableHash _hash = StableHash.Create();
    private ulong _firstSeed;
    private long _seedCount;
    private long _committed;
    private long _applied;
    private long _waits;
    private long _peerRepairs;
    private long _leaves;
    private long _forged;
    private long _forgedOpened;
    private long _forgedNew;
    private long _simulatedNs;

    /// <summary>How many seeds had a violation.</summary>
    public long ViolationCount { get; private set; }

    /// <summary>Adds the result of the next seed.</summary>
    public void Add(RunResult result)
    {
        _firstSeed = _seedCount++ == 0 ? result.Seed : _firstSeed;
        ViolationCount += result.Violation is null ? 0 : 1;
        if (result.Checker is { } checker)
        {
            _foundBy.TryAdd(checker, result.Seed);
            if (_failedSeeds.Count < FailedSeedsMax)
            {
                _failedSeeds.Add($"{result.Seed} {checker}");
            }
        }

        _committed += result.Committed;
        _applied += result.Applied;
        _waits += result.Waits;
        _peerRepairs += result.PeerRepairs;
        _leaves += result.Leaves;
        _forged += result.Forged;
        _forgedOpened += result.ForgedOpened;
        _forgedNew += result.ForgedNew;
        _simulatedNs += result.SimulatedNs;
        _hash.Add(result.Seed);
        _hash.Add(result.StateHash);
        foreach ((string name, long count) in result.Faults)
        {
            _faults[name] = _faults.GetValueOrDefault(name) + count;
        }
    }

    /// <summary>The last line.</summary>
    public string ToJson(TimeSpan wall)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteNumber("seeds", _seedCount);
            json.WriteNumber("first_seed", _firstSeed);
            json.WriteNumber("violations", ViolationCount);
            json.WriteStartObject("faults");
            foreach ((string name, long count) in _faults)
            {
                json.WriteNumber(name, count);
            }

            json.WriteEndObject();
            WriteFoundBy(json);
            json.WriteStartArray("failed_seeds");
            _failedSeeds.ForEach(json.WriteStringValue);
            json.WriteEndArray();
            json.WriteNumber("committed", _committed);
            json.WriteNumber("applied", _applied);
            json.WriteNumber("waits", _waits);
            json.WriteNumber("peer_repairs", _peerRepairs);
            json.WriteNumber("leaves", _leaves);
            json.WriteNumber("forged", _forged);
            json.WriteNumber("forged_opened", _forgedOpened);
            json.WriteNumber("forged_new", _forgedNew);
            json.WriteNumber("simulated_s", Math.Round(_simulatedNs / 1e9, 3));
            json.WriteNumber("wall_s", Math.Round(wall.TotalSeconds, 3));
            json.WriteString("state_hash", _hash.Value.ToString("x16", CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <summary>Each checker that found something, with the first seed in which it did.</summary>
    private void WriteFoundBy(Utf8JsonWriter json)
    {
        json.WriteStartObject("found_by");
        foreach ((string checker, ulong seed) in _foundBy)
        {
            json.WriteNumber(checker, seed);
        }

        json.WriteEndObject();
    }
}
