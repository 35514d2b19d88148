using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Checking;

/// <summary>What a violation is about, as data: each thing once, in the order in which its message names them.</summary>
internal sealed class ViolationSubject
{
    private readonly List<string> _machines = [];
    private readonly List<ReleaseLabel> _releases = [];
    private readonly List<Guid> _publishes = [];
    private readonly List<string> _waits = [];

    /// <summary>The names of the machines.</summary>
    public IReadOnlyList<string> Machines => _machines;

    /// <summary>The releases.</summary>
    public IReadOnlyList<ReleaseLabel> Releases => _releases;

    /// <summary>The publishes.</summary>
    public IReadOnlyList<Guid> Publishes => _publishes;

    /// <summary>The waits, as a trace names them.</summary>
    public IReadOnlyList<string> Waits => _waits;

    /// <summary>True if nothing is named.</summary>
    public bool IsEmpty => _machines.Count + _releases.Count + _publishes.Count + _waits.Count == 0;

    /// <summary>Adds a machine.</summary>
    public void AddMachine(string name) => Add(_machines, name);

    /// <summary>Adds a release.</summary>
    public void AddRelease(ReleaseLabel release) => Add(_releases, release);

    /// <summary>Adds a publish; an empty id is none.</summary>
    public void AddPublish(Guid publish)
    {
        if (publish != Guid.Empty)
        {
            Add(_publishes, publish);
        }
    }

    /// <summary>Adds a wait.</summary>
    public void AddWait(string wait) => Add(_waits, wait);

    /// <summary>Adds a value of a message if it is one of the things a violation can be about.</summary>
    public void AddValue(object? value)
    {
        switch (value)
        {
            case IViolationSubject subject:
                subject.AddTo(this);
                break;
            case ReleaseLabel release:
                AddRelease(release);
                break;
            case Guid publish:
                AddPublish(publish);
                break;
            default:
                break;
        }
    }

    private static void Add<T>(List<T> list, T value)
    {
        if (!list.Contains(value))
        {
            list.Add(value);
        }
    }
}
