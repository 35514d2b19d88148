using System.Collections;
using Ripple.Engine.Matching;

namespace Ripple.Client;

/// <summary>
/// The attributes of an event: <c>new RipplePoint { ["price"] = 15.5, ["volume"] = 100 }</c>. A value for each dimension of the space. Not
/// to be changed while it is being emitted; it is copied at the call.
/// </summary>
public sealed class RipplePoint : IReadOnlyCollection<KeyValuePair<string, RippleValue>>
{
    private readonly List<KeyValuePair<string, RippleValue>> _values = [];

    /// <summary>Creates one without values.</summary>
    public RipplePoint()
    {
    }

    internal RipplePoint(IReadOnlyList<NamedValue> values) =>
        _values.AddRange(values.Select(v => KeyValuePair.Create(v.Name, new RippleValue(v.Value))));

    /// <inheritdoc/>
    public int Count => _values.Count;

    /// <summary>The value of an attribute.</summary>
    /// <param name="name">The name of the dimension.</param>
    /// <exception cref="KeyNotFoundException">It has no value; when read.</exception>
    public RippleValue this[string name]
    {
        get => TryGet(name, out RippleValue value)
            ? value
            : throw new KeyNotFoundException(
                $"The event has no attribute '{name}'. It has: {string.Join(", ", _values.Select(v => v.Key))}.");
        set
        {
            ArgumentException.ThrowIfNullOrEmpty(name);
            int index = _values.FindIndex(v => v.Key == name);
            if (index < 0)
            {
                _values.Add(KeyValuePair.Create(name, value));
            }
            else
            {
                _values[index] = KeyValuePair.Create(name, value);
            }
        }
    }

    /// <summary>The value of an attribute; false if it has none.</summary>
    public bool TryGet(string name, out RippleValue value)
    {
        int index = _values.FindIndex(v => v.Key == name);
        value = index < 0 ? default : _values[index].Value;
        return index >= 0;
    }

    /// <inheritdoc/>
    public IEnumerator<KeyValuePair<string, RippleValue>> GetEnumerator() => _values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    internal NamedValue[] ToValues() => [.. _values.Select(v => new NamedValue(v.Key, v.Value.Value))];
}
