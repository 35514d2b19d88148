using Ripple.Admin.Contracts;

namespace Ripple.PowerShell.Output;

/// <summary>An entry of the audit log.</summary>
public sealed class RippleAuditEntry
{
    internal RippleAuditEntry(AuditInfo info)
    {
        Number = info.Number;
        Time = info.Time;
        Actor = info.Actor;
        Action = info.Action;
        Application = info.Application;
        Release = info.Release;
        Detail = info.Detail;
    }

    /// <summary>The entry's number, increasing.</summary>
    public long Number { get; }

    /// <summary>The time, UTC.</summary>
    public DateTimeOffset Time { get; }

    /// <summary>Who acted.</summary>
    public string Actor { get; }

    /// <summary>The action as a dotted name, such as <c>release.publish</c>.</summary>
    public string Action { get; }

    /// <summary>The application concerned; null if the entry is about the cluster.</summary>
    public string? Application { get; }

    /// <summary>The release concerned; null if none.</summary>
    public ulong? Release { get; }

    /// <summary>Further details.</summary>
    public string Detail { get; }
}
