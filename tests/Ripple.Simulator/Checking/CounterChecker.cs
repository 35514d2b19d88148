using System.Reflection;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Checking;

/// <summary>
/// What counts only grows, and what says how many there are is never negative: read once a simulated second, after a turn of the machine.
/// </summary>
internal sealed class CounterChecker : IChecker
{
    private const long EveryNs = 1_000_000_000;
    private static readonly Dictionary<Type, Counter[]> OfType = [];
    private readonly SimulatedWorld _world;
    private readonly SimulatedMachine? _machine;
    private readonly Func<IEnumerable<object?>> _counters;
    private readonly HashSet<string> _gauges;
    private Dictionary<object, long[]> _last = new(ReferenceEqualityComparer.Instance);
    private long _dueNs;

    /// <summary>Creates the checker and adds it to the machine, or to the world.</summary>
    /// <param name="world">The world.</param>
    /// <param name="machine">The machine; null for what machines share.</param>
    /// <param name="counters">The objects whose numbers are counters; a new object counts from the start. Nulls are left out.</param>
    /// <param name="gauges">Names of those numbers that may fall.</param>
    public CounterChecker(
        SimulatedWorld world, SimulatedMachine? machine, Func<IEnumerable<object?>> counters, IReadOnlySet<string>? gauges = null)
    {
        ArgumentNullException.ThrowIfNull(world);
        ArgumentNullException.ThrowIfNull(counters);
        _world = world;
        _machine = machine;
        _counters = counters;
        _gauges = [.. gauges ?? new HashSet<string>()];
        if (machine is null)
        {
            world.Add(this);
        }
        else
        {
            machine.Add(this);
        }
    }

    /// <inheritdoc/>
    public string Name => "Counters";

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        if (nowNs >= _dueNs)
        {
            _dueNs = nowNs + EveryNs;
            Check();
        }
    }

    private static Counter[] NumbersOf(object counters)
    {
        lock (OfType)
        {
            if (!OfType.TryGetValue(counters.GetType(), out Counter[]? numbers))
            {
                numbers =
                [
                    .. counters.GetType()
                        .GetProperties(BindingFlags.Instance | BindingFlags.Public)
                        .Where(p => p.PropertyType == typeof(long) && p.GetIndexParameters().Length == 0)
                        .Select(p => new Counter(p)),
                ];
                OfType.Add(counters.GetType(), numbers);
            }

            return numbers;
        }
    }

    private void Check()
    {
        var seen = new Dictionary<object, long[]>(ReferenceEqualityComparer.Instance);
        foreach (object counters in _counters().OfType<object>())
        {
            Counter[] numbers = NumbersOf(counters);
            long[]? before = _last.GetValueOrDefault(counters);
            long[] now = new long[numbers.Length];
            for (int i = 0; i < numbers.Length; i++)
            {
                now[i] = numbers[i].Read(counters);
                long least = before is null || _gauges.Contains(numbers[i].Name) ? 0 : before[i];
                if (now[i] < least)
                {
                    _world.Fail(
                        Name,
                        $"{numbers[i].Name} of {counters.GetType().Name} is {now[i]} and was {least}: {_machine?.Name ?? "shared"}",
                        _machine);
                }
            }

            seen[counters] = now;
        }

        _last = seen;
    }

    private sealed class Counter(PropertyInfo property)
    {
        private readonly MethodInvoker _get = MethodInvoker.Create(property.GetMethod!);

        public string Name => property.Name;

        public long Read(object counters) => (long)_get.Invoke(counters)!;
    }
}
