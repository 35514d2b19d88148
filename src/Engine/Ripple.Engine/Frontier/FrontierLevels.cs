namespace Ripple.Engine.Frontier;

/// <summary>
/// The stability levels of one application: three that Ripple reports, and up to <see cref="ExtraMax"/> that its user defines and reports.
/// Levels are never removed, so that an index stays good. Belongs to the core thread.
/// </summary>
public sealed class FrontierLevels
{
    /// <summary>The newest release received with all before it.</summary>
    public const int Received = 0;

    /// <summary>The newest release on the member's disk with all before it.</summary>
    public const int Persisted = 1;

    /// <summary>The newest release whose state is in effect.</summary>
    public const int Applied = 2;

    /// <summary>How many levels a user can define.</summary>
    public const int ExtraMax = 8;

    /// <summary>The longest name of a level, in characters.</summary>
    public const int NameCharsMax = 32;

    internal const string DirectWord = "direct";

    private readonly List<string> _names = ["received", "persisted", "applied"];

    /// <summary>The names by index.</summary>
    public IReadOnlyList<string> Names => _names;

    /// <summary>The index of a level; -1 when there is none of that name. Case does not matter.</summary>
    public int IndexOf(string name)
    {
        for (int i = 0; i < _names.Count; i++)
        {
            if (string.Equals(_names[i], name, StringComparison.OrdinalIgnoreCase))
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>
    /// Adds a level and gives its index; the index it has already when it is known. False when the name is not a letter followed by letters, digits and
    /// underscores (at most <see cref="NameCharsMax"/>), when it is "direct", or when there are <see cref="ExtraMax"/> already.
    /// </summary>
    internal bool TryRegister(string name, out int level)
    {
        level = IndexOf(name);
        if (level >= 0)
        {
            return true;
        }

        if (!IsName(name) || _names.Count == Applied + 1 + ExtraMax)
        {
            return false;
        }

        level = _names.Count;
        _names.Add(name.ToLowerInvariant());
        return true;
    }

    private static bool IsName(string name)
    {
        if (name.Length is 0 or > NameCharsMax || !char.IsAsciiLetter(name[0]) || string.Equals(name, DirectWord, StringComparison.OrdinalIgnoreCase))
        {
            return false;
        }

        foreach (char c in name)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c != '_')
            {
                return false;
            }
        }

        return true;
    }
}
