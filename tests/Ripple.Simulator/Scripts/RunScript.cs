using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Scripts;

/// <summary>
/// What chance drew for a run, item by item, so that the run can be repeated without some of its items: whoever is about to draw for an
/// item says so, and finds the generator where it was at this item in the whole run, whatever was left out before. Belongs to the thread of
/// its run, but for <see cref="None"/>, which keeps nothing.
/// </summary>
internal sealed class RunScript
{
    private readonly Dictionary<string, (ulong, ulong, ulong, ulong)>? _states;
    private readonly Dictionary<string, int> _timesPlaced = new(StringComparer.Ordinal);
    private readonly List<string>[] _items = [[], [], []];
    private readonly RunExcerpt? _excerpt;

    private RunScript(Dictionary<string, (ulong, ulong, ulong, ulong)>? states, RunExcerpt? excerpt)
    {
        _states = states;
        _excerpt = excerpt;
    }

    /// <summary>An ordinary run: it has all items, and draws as it goes.</summary>
    public static RunScript None { get; } = new(null, null);

    /// <summary>Starts a recording, for the whole run.</summary>
    public static RunScript Record() => new(new(StringComparer.Ordinal), null);

    /// <summary>The script for a run of some items of the recorded one.</summary>
    public RunScript Replay(RunExcerpt excerpt)
    {
        ArgumentNullException.ThrowIfNull(excerpt);
        return new RunScript(_states ?? throw new InvalidOperationException("Nothing was recorded."), excerpt);
    }

    /// <summary>The items the recorded run had, each once, in the order in which it asked for them.</summary>
    public IReadOnlyList<string> ItemsOf(RunItem item) => _items[(int)item];

    /// <summary>Whether the run has this item.</summary>
    public bool Takes(RunItem item, int number) =>
        _states is null || Takes(item, number.ToString(CultureInfo.InvariantCulture));

    /// <summary>Whether the run has this item.</summary>
    public bool Takes(RunItem item, string name)
    {
        if (_states is null)
        {
            return true;
        }

        if (_excerpt is not null)
        {
            return _excerpt.Keeps(item, name);
        }

        if (!_items[(int)item].Contains(name))
        {
            _items[(int)item].Add(name);
        }

        return true;
    }

    /// <summary>
    /// Called before drawing for what the key names. The same key again is another item: the second, the third, and so on.
    /// </summary>
    /// <returns>False if the recorded run did not have it: the generator then stands where only the key decides.</returns>
    public bool Place(DeterministicRandom random, string key)
    {
        ArgumentNullException.ThrowIfNull(random);
        if (_states is null)
        {
            return true;
        }

        int times = _timesPlaced[key] = _timesPlaced.GetValueOrDefault(key) + 1;
        string name = string.Create(CultureInfo.InvariantCulture, $"{key} {times}");
        if (_excerpt is null)
        {
            _states.Add(name, random.State);
            return true;
        }

        bool isKnown = _states.TryGetValue(name, out (ulong, ulong, ulong, ulong) state);
        random.State = isKnown ? state : new DeterministicRandom(HashOf(name)).State;
        return isKnown;
    }

    /// <summary>
    /// The same for what goes from one machine to another, of which there is much: counted for each pair of machines, so that what others
    /// send shifts nothing.
    /// </summary>
    public void Place(DeterministicRandom random, string what, SimulatedMachine from, SimulatedMachine to)
    {
        if (_states is not null)
        {
            Place(random, $"{what} {from} {to}");
        }
    }

    private static ulong HashOf(string name)
    {
        StableHash hash = StableHash.Create();
        hash.Add(name);
        return hash.Value;
    }
}
