namespace Ripple.Gms.Frontier;

/// <summary>The stability levels that every member reports, by index.</summary>
internal static class FrontierLevels
{
    /// <summary>The newest release received along with all before it.</summary>
    public const int Received = 0;

    /// <summary>The newest release on the member's disk along with all before it.</summary>
    public const int Persisted = 1;

    /// <summary>The newest release whose state is in effect.</summary>
    public const int Applied = 2;

    /// <summary>How many levels there are.</summary>
    internal const int Count = 3;

    internal const string DirectWord = "direct";

    private static readonly string[] AllNames = ["received", "persisted", "applied"];

    /// <summary>The names by index.</summary>
    internal static IReadOnlyList<string> Names => AllNames;

    /// <summary>The index of a level; -1 when no level has that name. Case is ignored.</summary>
    internal static int IndexOf(string name) =>
        Array.FindIndex(AllNames, known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase));
}
