using Ripple.Admin.Contracts;
using Ripple.Admin.Editing;

namespace Ripple.PowerShell.Output;

/// <summary>An edit of one place of a JSON document.</summary>
public sealed class RippleEdit
{
    internal RippleEdit(string application, string key, JsonEdit edit, KeyEditResult result)
        : this(application, key, edit, result.Release, result.Before, result.After) =>
        (IsPublished, Tries) = (result.Published is not null, result.Tries);

    internal RippleEdit(string application, string key, JsonEdit edit, ReleaseNumber release, string? before, string? after)
    {
        Application = application;
        Key = key;
        Pointer = edit.Pointer;
        Release = release.Release;
        Generation = release.Generation ?? 0;
        Before = before;
        After = after;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>The place, a JSON pointer.</summary>
    public string Pointer { get; }

    /// <summary>The release that has the value.</summary>
    public ulong Release { get; }

    /// <summary>The generation of that release.</summary>
    public uint Generation { get; }

    /// <summary>Whether it was published; false if the value was there already.</summary>
    public bool IsPublished { get; }

    /// <summary>How often it was published: 1, and one more for each release of others that came between; 0 if nothing changed.</summary>
    public int Tries { get; }

    /// <summary>The JSON text that was at the place; null if there was none.</summary>
    public string? Before { get; }

    /// <summary>The JSON text that is at the place; null if there is none.</summary>
    public string? After { get; }
}
