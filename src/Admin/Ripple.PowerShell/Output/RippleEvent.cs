using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>An event that is in the ranges of a subscription.</summary>
public sealed class RippleEvent
{
    internal RippleEvent(string application, SpaceEvent shown)
    {
        Application = application;
        Id = shown.Id;
        Point = [.. shown.Point.Select(p => $"{p.Key}={p.Value}")];
        Value = shown.Text is { } text ? text : shown.Bytes;
        Dropped = shown.Dropped;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>Its name, the same wherever and however often it comes.</summary>
    public string Id { get; }

    /// <summary>Its values, each as <c>price=15.5</c>.</summary>
    public IReadOnlyList<string> Point { get; }

    /// <summary>What it carries: text, or bytes if it is none.</summary>
    public object? Value { get; }

    /// <summary>The events that were lost right before it, because they came faster than they were read.</summary>
    public ulong Dropped { get; }
}
