namespace Ripple.Admin.Contracts;

/// <summary>An entry of the audit log.</summary>
/// <param name="Number">The entry's number, increasing.</param>
/// <param name="Time">The time, UTC.</param>
/// <param name="Actor">Who acted.</param>
/// <param name="Action">The action as a dotted name, such as <c>release.publish</c>.</param>
/// <param name="Application">The application concerned; null if the entry is about the cluster.</param>
/// <param name="Release">The release concerned; null if none.</param>
/// <param name="Detail">Further details, for display.</param>
public sealed record AuditInfo(
    long Number, DateTimeOffset Time, string Actor, string Action, string? Application, ulong? Release, string Detail);
