namespace Ripple.Benchmarks.Check;

/// <summary>What a benchmark is part of.</summary>
public static class Categories
{
    /// <summary>Runs on a core thread for each packet, message, alarm or request: allocates nothing.</summary>
    public const string Core = "core";
}
