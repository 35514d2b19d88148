using System.Security.Cryptography;
using System.Text;
using Ripple.Extensions.Hosting.Connections;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// What one thread sees of the releases while it makes an options object: one release of each connection from the first read to the last,
/// and while a candidate is validated, the candidate. Other threads see nothing of it. Reads can be hashed: their hash is the section as
/// that options type sees it, however it binds.
/// </summary>
internal sealed class ReadScope : IDisposable
{
    [ThreadStatic]
    private static ReadScope? _current;

    private readonly ReadScope? _outer;
    private readonly List<(RippleConnection Connection, FlatConfiguration View)> _pinned = [];
    private readonly HashSet<OptionsKey> _making = [];
    private bool _isValidation;
    private IncrementalHash? _hash;
    private HashSet<string>? _values;

    private ReadScope() => (_outer, _current) = (_current, this);

    /// <summary>This thread's; null when it reads what is in effect.</summary>
    public static ReadScope? Current => _current;

    /// <summary>
    /// True while a release, or what is in effect, is validated on this thread: whoever waits for a connection here may wait for what waits
    /// for this.
    /// </summary>
    public static bool IsValidating => _current is { _isValidation: true };

    /// <summary>
    /// Sees what is in effect at the first read of each connection. Null, to be used all the same, when this thread is in a scope already.
    /// </summary>
    public static ReadScope? Pin() => _current is null ? new() : null;

    /// <summary>Sees a candidate; null: what is in effect.</summary>
    public static ReadScope See(RippleConnection connection, FlatConfiguration? candidate)
    {
        var scope = new ReadScope { _isValidation = true };
        scope._pinned.Add((connection, candidate ?? connection.Current));
        return scope;
    }

    /// <summary>What this thread sees of a connection.</summary>
    public FlatConfiguration ViewOf(RippleConnection connection)
    {
        foreach ((RippleConnection known, FlatConfiguration view) in _pinned)
        {
            if (ReferenceEquals(known, connection))
            {
                return view;
            }
        }

        // Once: a release that is swapped in meanwhile is for the next scope.
        FlatConfiguration current = connection.Current;
        _pinned.Add((connection, current));
        return current;
    }

    /// <summary>Options that others ask for are made from here to <see cref="EndMake"/>.</summary>
    /// <exception cref="InvalidOperationException">They are being made already: they need themselves.</exception>
    public void BeginMake(OptionsKey key)
    {
        if (!_making.Add(key))
        {
            throw new InvalidOperationException(
                $"{key} cannot be made, because making it asks for it. Take the monitor of these options out of what "
                    + $"configures or validates them.");
        }
    }

    public void EndMake(OptionsKey key) => _making.Remove(key);

    /// <summary>The values that were read since <see cref="BeginNotes"/>.</summary>
    public IReadOnlyCollection<string> NotedValues => _values ?? [];

    /// <summary>Begins to note what is read.</summary>
    public void BeginNotes()
    {
        _hash ??= IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        _hash.TryGetHashAndReset(stackalloc byte[SHA256.HashSizeInBytes], out _);
        (_values ??= []).Clear();
    }

    /// <summary>The hash of what was read since then.</summary>
    public string HashNotes() => Convert.ToHexStringLower(_hash!.GetHashAndReset());

    /// <summary>Notes a read of a value.</summary>
    public void Note(string path, bool isFound, string? value)
    {
        if (_hash is not null)
        {
            Append(path);
            Append(isFound ? value is null ? "0" : "1" + value : "-");
            if (value is not null)
            {
                _values!.Add(value);
            }
        }
    }

    /// <summary>Notes a read of what lies below a path.</summary>
    public void Note(string? parent, string[] children)
    {
        if (_hash is not null)
        {
            Append(parent ?? string.Empty);
            foreach (string child in children)
            {
                Append(child);
            }

            Append("/");
        }
    }

    public void Dispose()
    {
        _hash?.Dispose();
        _current = _outer;
    }

    private void Append(string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        _hash!.AppendData(BitConverter.GetBytes(bytes.Length));
        _hash.AppendData(bytes);
    }
}
