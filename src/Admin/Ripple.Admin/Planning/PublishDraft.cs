using System.Text;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Planning;

/// <summary>Collects key changes one by one for a single release. One caller at a time.</summary>
/// <param name="application">The application to change.</param>
public sealed class PublishDraft(string application)
{
    private readonly List<KeyValue> _set = [];
    private readonly List<string> _remove = [];
    private readonly HashSet<string> _keys = new(StringComparer.Ordinal);
    private long _bytes;

    /// <summary>The application.</summary>
    public string Application { get; } = application;

    /// <summary>The number of changes.</summary>
    public int Count => _keys.Count;

    /// <summary>Sets a key to text.</summary>
    /// <exception cref="RippleAdminException">The key is already changed, or the change exceeds a limit of one release.</exception>
    public void Set(string key, string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        Take(key, Encoding.UTF8.GetByteCount(text));
        _set.Add(new KeyValue { Key = key, Text = text });
    }

    /// <summary>Sets a key to bytes, which are not copied.</summary>
    /// <exception cref="RippleAdminException">The key is already changed, or the change exceeds a limit of one release.</exception>
    public void Set(string key, byte[] bytes)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        Take(key, bytes.Length);
        _set.Add(new KeyValue { Key = key, Bytes = bytes });
    }

    /// <summary>Removes a key.</summary>
    /// <exception cref="RippleAdminException">The key is already changed, or the change exceeds a limit of one release.</exception>
    public void Remove(string key)
    {
        Take(key, 0);
        _remove.Add(key);
    }

    /// <summary>The changes as a request.</summary>
    /// <param name="note">What changed and why; may be empty.</param>
    public PublishRequest ToRequest(string note) => new() { Set = [.. _set], Remove = [.. _remove], Note = note };

    private void Take(string key, int lengthBytes)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        if (lengthBytes > AdminLimits.ValueBytesMax)
        {
            throw Refused(
                ProblemCodes.TooLarge,
                $"The value of '{key}' has {lengthBytes} bytes; a value has at most {AdminLimits.ValueBytesMax}. "
                    + $"Split it over several keys.");
        }

        if (_keys.Count >= AdminLimits.ChangesMax)
        {
            throw Refused(
                ProblemCodes.TooLarge,
                $"One release of '{Application}' may change {AdminLimits.ChangesMax} keys; '{key}' is one more. "
                    + $"Publish in several releases.");
        }

        if (_bytes + lengthBytes > AdminLimits.PublishBytesMax)
        {
            throw Refused(
                ProblemCodes.TooLarge,
                $"One release of '{Application}' may bring {AdminLimits.PublishBytesMax} bytes; with '{key}' it is more. "
                    + $"Publish in several releases.");
        }

        if (!_keys.Add(key))
        {
            throw Refused(
                ProblemCodes.InvalidRequest,
                $"The key '{key}' of '{Application}' is given twice. One release changes a key once: leave one of them out.");
        }

        _bytes += lengthBytes;
    }

    private static RippleAdminException Refused(string code, string detail) =>
        new(new Problem { Code = code, Title = "The changes cannot be one release", Detail = detail });
}
