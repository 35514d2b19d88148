namespace Ripple.Gms.Frontier;

/// <summary>
/// The stability levels, by index: three that every member reports, and up to <see cref="OwnMax"/> of an application's own behind them.
/// </summary>
internal sealed class FrontierLevels
{
    /// <summary>The newest release received along with all before it.</summary>
    public const int Received = 0;

    /// <summary>The newest release on the member's disk along with all before it.</summary>
    public const int Persisted = 1;

    /// <summary>The newest release whose state is in effect.</summary>
    public const int Applied = 2;

    /// <summary>The most levels of an application's own.</summary>
    public const int OwnMax = 8;

    /// <summary>How many levels every member reports.</summary>
    internal const int Count = 3;

    internal const string DirectWord = "direct";

    private static readonly string[] BuiltIn = ["received", "persisted", "applied"];

    private readonly List<string> _own = [];

    /// <summary>The names of those that every member reports, by index.</summary>
    internal static IReadOnlyList<string> Names => BuiltIn;

    /// <summary>The names of the application's own, in the order of their indexes, which begin with <see cref="Count"/>.</summary>
    internal IReadOnlyList<string> Own => _own;

    /// <summary>Whether a word is a level of every application, or the word behind one. Case is ignored.</summary>
    internal static bool IsBuiltIn(string name) =>
        string.Equals(name, DirectWord, StringComparison.OrdinalIgnoreCase) || BuiltIn.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>The index of a level; -1 when no level has that name. Case is ignored.</summary>
    internal int IndexOf(string name)
    {
        int index = Array.FindIndex(BuiltIn, known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase));
        int own = index >= 0 ? -1 : _own.FindIndex(known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase));
        return index >= 0 ? index : own >= 0 ? Count + own : -1;
    }

    /// <summary>
    /// Adds a level of the application's own; false if it is there, or there are as many as may be. None is ever taken away.
    /// </summary>
    internal bool TryAdd(string name)
    {
        if (_own.Count >= OwnMax || IndexOf(name) >= 0)
        {
            return false;
        }

        _own.Add(name);
        return true;
    }
}
