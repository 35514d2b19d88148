using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>An application.</summary>
public sealed class RippleApplication
{
    internal RippleApplication(ApplicationInfo info)
    {
        Application = info.Name;
        Generation = info.Generation;
        NewestRelease = info.Release;
        KeyCount = info.KeyCount;
        NodeCount = info.NodeCount;
    }

    /// <summary>Its name.</summary>
    public string Application { get; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; }

    /// <summary>Its newest release; 0 before the first.</summary>
    public ulong NewestRelease { get; }

    /// <summary>The number of its keys.</summary>
    public int KeyCount { get; }

    /// <summary>The number of nodes that receive it and are present now.</summary>
    public int NodeCount { get; }
}
