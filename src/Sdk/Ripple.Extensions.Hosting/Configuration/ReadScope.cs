using System.Security.Cryptography;
using System.Text;
using Ripple.Extensions.Hosting.Connections;
using Ripple.Extensions.Hosting.Validation;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// One thread's view of the releases while it creates an options object: a single release of each connection from the first read to the
/// last, or the candidate while one is validated. Not visible to other threads. Reads can be hashed: the hash represents the section as
/// that options type sees it, regardless of how it binds.
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

    /// <summary>This thread's scope; null if it reads the state in effect.</summary>
    public static ReadScope? Current => _current;

    /// <summary>
    /// Whether this thread is validating a release or the state in effect. Waiting for a connection here could deadlock with a thread that
    /// waits for the validation.
    /// </summary>
    public static bool IsValidating => _current is { _isValidation: true };

    /// <summary>
    /// Pins the state in effect at the first read of each connection. Null, which is safe to use, if this thread is already in a scope.
    /// </summary>
    public static ReadScope? Pin() => _current is null ? new() : null;

    /// <summary>Makes a candidate visible; null for the state in effect.</summary>
    public static ReadScope See(RippleConnection connection, FlatConfiguration? candidate)
    {
        var scope = new ReadScope { _isValidation = true };
        scope._pinned.Add((connection, candidate ?? connection.Current));
        return scope;
    }

    /// <summary>This thread's view of a connection.</summary>
    public FlatConfiguration ViewOf(RippleConnection connection)
    {
        foreach ((RippleConnection known, FlatConfiguration view) in _pinned)
        {
            if (ReferenceEquals(known, connection))
            {
                return view;
            }
        }

        // Read once: a release that takes effect meanwhile is seen by the next scope.
        FlatConfiguration current = connection.Current;
        _pinned.Add((connection, current));
        return current;
    }

    /// <summary>Marks options requested by others as being created, until <see cref="EndMake"/>.</summary>
    /// <exception cref="InvalidOperationException">They are already being created: they depend on themselves.</exception>
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

    /// <summary>The values read since <see cref="BeginNotes"/>.</summary>
    public IReadOnlyCollection<string> NotedValues => _values ?? [];

    /// <summary>Starts recording reads.</summary>
    public void BeginNotes()
    {
        _hash ??= IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        _hash.TryGetHashAndReset(stackalloc byte[SHA256.HashSizeInBytes], out _);
        (_values ??= []).Clear();
    }

    /// <summary>The hash of the reads recorded since then.</summary>
    public string HashNotes() => Convert.ToHexStringLower(_hash!.GetHashAndReset());

    /// <summary>Records a read of a value.</summary>
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

    /// <summary>Records a read of the children of a path.</summary>
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
