namespace Ripple.Admin.Contracts;

/// <summary>Who did what.</summary>
/// <param name="Number">Its place in the audit, growing.</param>
/// <param name="Time">When, UTC.</param>
/// <param name="Actor">Who.</param>
/// <param name="Action">What, as a dotted name: <c>release.publish</c>.</param>
/// <param name="Application">To which application; null when it is about the cluster.</param>
/// <param name="Release">Which release; null when it is about none.</param>
/// <param name="Detail">The rest, for people.</param>
public sealed record AuditInfo(
    long Number, DateTimeOffset Time, string Actor, string Action, string? Application, ulong? Release, string Detail);
