using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A point of a monitor: the newest release for which a predicate holds.</summary>
public sealed class RippleFrontierPoint
{
    internal RippleFrontierPoint(string application, string predicate, MonitorPoint point)
    {
        Application = application;
        Predicate = predicate;
        Generation = point.Generation;
        Version = point.Version;
        Release = point.Release;
        Problem = point.Problem;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The predicate, or the name of one, as it was given.</summary>
    public string Predicate { get; }

    /// <summary>The generation of the release.</summary>
    public uint Generation { get; }

    /// <summary>The version of the predicate; 0 for one that was written out.</summary>
    public ulong Version { get; }

    /// <summary>The release; 0 if it holds for none.</summary>
    public ulong Release { get; }

    /// <summary>Why the predicate does not fit the members now; null if it does.</summary>
    public string? Problem { get; }
}
