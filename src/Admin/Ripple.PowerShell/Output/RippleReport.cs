using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>How far an external has come with a level.</summary>
public sealed class RippleReport
{
    internal RippleReport(string application, string external, ReportedLevel reported)
    {
        Application = application;
        External = external;
        Level = reported.Level;
        Generation = reported.Generation;
        Release = reported.Release;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The external.</summary>
    public string External { get; }

    /// <summary>The level.</summary>
    public string Level { get; }

    /// <summary>The generation of the release.</summary>
    public uint Generation { get; }

    /// <summary>The release that counts: it says so of all before it.</summary>
    public ulong Release { get; }
}
