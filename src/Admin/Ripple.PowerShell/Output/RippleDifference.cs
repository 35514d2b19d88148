using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>How a key differs between two releases.</summary>
public sealed class RippleDifference
{
    internal RippleDifference(Diff diff, KeyChangeInfo change, object? before, object? after)
    {
        Application = diff.Application;
        From = diff.From;
        To = diff.To;
        Key = change.Key;
        Change = change.Kind;
        Before = before;
        After = after;
        BytesBefore = change.Before?.LengthBytes;
        BytesAfter = change.After?.LengthBytes;
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The earlier release.</summary>
    public ulong From { get; }

    /// <summary>The later release.</summary>
    public ulong To { get; }

    /// <summary>The key.</summary>
    public string Key { get; }

    /// <summary>The kind of change.</summary>
    public KeyChangeKind Change { get; }

    /// <summary>The earlier value: a string if the bytes are UTF-8, otherwise a byte array; null if there is none or it was not asked
    /// for.</summary>
    public object? Before { get; }

    /// <summary>The later value, in the same form.</summary>
    public object? After { get; }

    /// <summary>The size of the earlier value, in bytes; null if there is none.</summary>
    public int? BytesBefore { get; }

    /// <summary>The size of the later value, in bytes; null if there is none.</summary>
    public int? BytesAfter { get; }
}
