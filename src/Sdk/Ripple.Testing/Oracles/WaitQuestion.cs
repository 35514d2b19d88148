using System.Globalization;
using Ripple.Testing.Checking;
using Ripple.Testing.Oracles.Predicates;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Oracles;

/// <summary>A wait that a publisher asks for, and asks for again when its connection was lost.</summary>
internal sealed class WaitQuestion : IViolationSubject
{
    /// <summary>The release, as the publisher was told it.</summary>
    public required ModelRelease Release { get; init; }

    /// <summary>The predicate.</summary>
    public required OperatorTerm Term { get; init; }

    /// <summary>The predicate as text.</summary>
    public string Predicate => Term.Text;

    /// <summary>The machine of the publisher.</summary>
    public required SimulatedMachine Asker { get; init; }

    /// <summary>The life of the asker: a wait ends with the process that asked.</summary>
    public required int AskerLife { get; init; }

    /// <summary>
    /// Whether the release is named by its number alone: then it may be one of another generation, if it was restored before a host took
    /// the wait. Default false.
    /// </summary>
    public bool IsBare { get; init; }

    /// <summary>When it was first asked.</summary>
    public required long AskedNs { get; init; }

    /// <summary>When the publisher gives up.</summary>
    public required long DeadlineNs { get; init; }

    /// <summary>The start of the host that ran when it was last sent.</summary>
    public int HostLife { get; set; }

    /// <summary>When it was last sent; <see cref="long.MaxValue"/> while it is not with a host.</summary>
    public long SentNs { get; set; } = long.MaxValue;

    /// <summary>How stories and timelines name it: by its release and the moment it was first asked.</summary>
    public string Label => string.Create(CultureInfo.InvariantCulture, $"{Release.Label}@{AskedNs}");

    /// <inheritdoc/>
    public override string ToString() => $"a wait for {Predicate} of {Release}";

    void IViolationSubject.AddTo(ViolationSubject subject)
    {
        subject.AddWait(Label);
        subject.AddRelease(Release.Label);
    }
}
