using System.Runtime.InteropServices;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Checking;

/// <summary>
/// Invariant 5: everything that holds memory stays within its stated bound, and holds not less than nothing. Gauges are read after every
/// turn of their machine.
/// </summary>
internal sealed class BoundsChecker : IChecker
{
    private readonly SimulatedWorld _world;
    private readonly List<Gauge> _common = [];
    private readonly List<List<Gauge>> _byMachine = [];

    /// <summary>Creates the checker and adds it to the world.</summary>
    public BoundsChecker(SimulatedWorld world)
    {
        ArgumentNullException.ThrowIfNull(world);
        _world = world;
        world.Add(this);
    }

    /// <inheritdoc/>
    public string Name => "Bounds";

    /// <summary>Registers a gauge.</summary>
    /// <param name="name">What the gauge measures, with its unit.</param>
    /// <param name="current">Reads the gauge.</param>
    /// <param name="bound">Its maximum.</param>
    /// <param name="machine">The machine whose memory it measures: the gauge is read only after turns of this machine, and removed when its
    /// process ends. Null to read it after every turn.</param>
    public void Register(string name, Func<long> current, long bound, SimulatedMachine? machine = null)
    {
        var gauge = new Gauge(name, current, bound);
        if (machine is null)
        {
            _common.Add(gauge);
            return;
        }

        while (_byMachine.Count <= machine.Index)
        {
            _byMachine.Add([]);
        }

        List<Gauge> gauges = _byMachine[machine.Index];
        if (gauges.Count == 0)
        {
            machine.Attach(new Forgetter(gauges));
        }

        gauges.Add(gauge);
    }

    /// <inheritdoc/>
    public void OnStep(long nowNs)
    {
        Check(_common);
        if (_world.LastStepped is { } machine && machine.Index < _byMachine.Count)
        {
            Check(_byMachine[machine.Index]);
        }
    }

    private void Check(List<Gauge> gauges)
    {
        foreach (ref readonly Gauge gauge in CollectionsMarshal.AsSpan(gauges))
        {
            long current = gauge.Current();
            if (current > gauge.Bound || current < 0)
            {
                _world.Fail(Name, $"{gauge.Name} is {current}, its bound {gauge.Bound} (machine: {_world.LastStepped})");
            }
        }
    }

    private readonly record struct Gauge(string Name, Func<long> Current, long Bound);

    private sealed class Forgetter(List<Gauge> gauges) : IMachineResource
    {
        public void OnCrash(bool isSilent) => gauges.Clear();
    }
}
