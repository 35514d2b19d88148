using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Frontier;

/// <summary>
/// The named predicates of one application, at most <see cref="NamesMax"/>; names are compared ordinally, with case. A wait keeps the predicate it was
/// started with; a monitor of a name follows changes. Belongs to the core thread.
/// </summary>
public sealed class PredicateNames
{
    /// <summary>The most named predicates.</summary>
    public const int NamesMax = 256;

    /// <summary>The longest name, in characters.</summary>
    public const int NameCharsMax = 100;

    private readonly SortedDictionary<string, Predicate> _predicates = new(StringComparer.Ordinal);

    /// <summary>The names, sorted.</summary>
    public IReadOnlyCollection<string> Names => _predicates.Keys;

    internal Action<string, Predicate>? OnChanged { get; set; }

    /// <summary>Adds a predicate. False when the text does not parse, the name is taken, empty or too long, or there are too many.</summary>
    public bool TryRegister(string name, string text, [NotNullWhen(false)] out PredicateError? error)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length is 0 or > NameCharsMax)
        {
            error = new PredicateError(0, $"A predicate's name has 1 to {NameCharsMax} characters; this has {name.Length}.");
            return false;
        }

        if (_predicates.ContainsKey(name))
        {
            error = new PredicateError(0, $"There is a predicate '{name}' already; change it instead.");
            return false;
        }

        if (_predicates.Count == NamesMax)
        {
            error = new PredicateError(0, $"There are {NamesMax} named predicates already; remove one.");
            return false;
        }

        if (!PredicateParser.TryParse(text, out Predicate? predicate, out error))
        {
            return false;
        }

        _predicates.Add(name, predicate);
        return true;
    }

    /// <summary>Replaces a predicate. False when there is none of that name or the text does not parse; then the old one stays.</summary>
    public bool TryChange(string name, string text, [NotNullWhen(false)] out PredicateError? error)
    {
        if (!TryGet(name, out _, out error) || !PredicateParser.TryParse(text, out Predicate? predicate, out error))
        {
            return false;
        }

        _predicates[name] = predicate;
        OnChanged?.Invoke(name, predicate);
        return true;
    }

    /// <summary>Removes a predicate; monitors of the name keep the last. False when there was none.</summary>
    public bool Remove(string name) => _predicates.Remove(name);

    /// <summary>Finds a predicate. False when there is none of that name.</summary>
    public bool TryGet(string name, [NotNullWhen(true)] out Predicate? predicate, [NotNullWhen(false)] out PredicateError? error)
    {
        ArgumentNullException.ThrowIfNull(name);
        error = _predicates.TryGetValue(name, out predicate) ? null : new PredicateError(0, $"There is no predicate '{name}'; register it.");
        return predicate is not null;
    }
}
