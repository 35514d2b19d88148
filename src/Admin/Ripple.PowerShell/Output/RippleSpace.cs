using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>The space of an application's events: the attributes that every event has, and their ranges.</summary>
public sealed class RippleSpace
{
    internal RippleSpace(string application, SpaceInfo space)
    {
        Application = application;
        Dimension = space.Text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        Version = space.Version;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The dimensions, each as <c>price:real:0..1000:USD</c>.</summary>
    public IReadOnlyList<string> Dimension { get; }

    /// <summary>Grows whenever the space changes.</summary>
    public ulong Version { get; }
}
