using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A release, as listed in the history.</summary>
public sealed class RippleRelease
{
    internal RippleRelease(string application, ReleaseInfo info)
    {
        Application = application;
        Release = info.Release;
        Generation = info.Generation;
        Id = info.Id;
        Time = info.Time;
        Actor = info.Actor;
        Note = info.Note;
        Set = [.. info.Changes.Where(c => c.Kind != KeyChangeKind.Removed).Select(c => c.Key)];
        Removed = [.. info.Changes.Where(c => c.Kind == KeyChangeKind.Removed).Select(c => c.Key)];
    }

    /// <summary>The application.</summary>
    public string Application { get; }

    /// <summary>The release number.</summary>
    public ulong Release { get; }

    /// <summary>The generation.</summary>
    public uint Generation { get; }

    /// <summary>The id, 40 hexadecimal digits.</summary>
    public string Id { get; }

    /// <summary>The time at which it was ordered, UTC.</summary>
    public DateTimeOffset Time { get; }

    /// <summary>The publisher.</summary>
    public string Actor { get; }

    /// <summary>The publisher's note.</summary>
    public string Note { get; }

    /// <summary>The keys it set.</summary>
    public string[] Set { get; }

    /// <summary>The keys it removed.</summary>
    public string[] Removed { get; }
}
