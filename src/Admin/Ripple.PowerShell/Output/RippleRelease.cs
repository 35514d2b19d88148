using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>A release, as the history tells it.</summary>
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

    /// <summary>Its number.</summary>
    public ulong Release { get; }

    /// <summary>Its generation.</summary>
    public uint Generation { get; }

    /// <summary>Its id, 40 hexadecimal digits.</summary>
    public string Id { get; }

    /// <summary>When it was ordered, UTC.</summary>
    public DateTimeOffset Time { get; }

    /// <summary>Who published it.</summary>
    public string Actor { get; }

    /// <summary>What was said of it.</summary>
    public string Note { get; }

    /// <summary>The keys it set.</summary>
    public string[] Set { get; }

    /// <summary>The keys it removed.</summary>
    public string[] Removed { get; }
}
