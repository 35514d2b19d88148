using Ripple.Engine.Releases;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Cluster;

/// <summary>
/// Invariants 1 and 7 at each node: a state put in effect was committed by the host, is complete (its values match its key table, and the
/// table matches the header), was accepted by the node itself, and takes effect in order.
/// </summary>
internal sealed class StateChecker(SimulatedWorld world, ReferenceHistory reference)
{
    private const string Name = "States";
    private readonly SortedDictionary<int, (int Start, uint Generation, ulong Release)> _last = [];

    /// <summary>Called when a client has put a state in effect.</summary>
    public void OnApplied(SimulatedClient client, ApplicationState state)
    {
        ArgumentNullException.ThrowIfNull(client);
        ArgumentNullException.ThrowIfNull(state);
        ReleaseState keys = state.Keys;
        if (!reference.Contains(keys.Id))
        {
            world.Fail(Name, $"{client.Machine} applied {keys.Generation}/{keys.Release} {keys.Id}, which the host never committed");
        }

        if (!client.HasAccepted(state))
        {
            world.Fail(Name, $"{client.Machine} applied {keys.Generation}/{keys.Release}, which it had not accepted");
        }

        CheckWhole(client, state);
        int start = client.Machine.StartCount;
        if (_last.TryGetValue(client.Machine.Index, out (int Start, uint Generation, ulong Release) last)
            && last.Start == start
            && (keys.Generation < last.Generation || (keys.Generation == last.Generation && keys.Release <= last.Release)))
        {
            world.Fail(Name, $"{client.Machine} applied {keys.Generation}/{keys.Release} after {last.Generation}/{last.Release}");
        }

        _last[client.Machine.Index] = (start, keys.Generation, keys.Release);
    }

    private void CheckWhole(SimulatedClient client, ApplicationState state)
    {
        if (state.Proof?.Header.StateRoot != state.Keys.Trie.Root || state.Values.Count != state.Keys.Keys.Count)
        {
            world.Fail(
                Name,
                $"{client.Machine} applied {state.Keys.Release} with {state.Values.Count} of {state.Keys.Keys.Count} values, "
                    + $"or another key table than the header's");
        }

        foreach ((string key, KeyEntry entry) in state.Keys.Keys)
        {
            if (!state.Values.TryGetValue(key, out ReadOnlyMemory<byte> value) || ContentDigest.Compute(value.Span) != entry.Digest)
            {
                world.Fail(
                    Name,
                    $"{client.Machine} applied {state.Keys.Release} with another value of {key} ({value.Length} bytes) than the released "
                        + $"one ({entry.Length} bytes, {entry.Digest})");
            }
        }
    }
}
