namespace Ripple.Gms.Store;

/// <summary>One audited action.</summary>
/// <param name="TimeUnixMicros">The time, in microseconds of Unix time, UTC.</param>
/// <param name="Actor">The actor.</param>
/// <param name="Action">The action as a dotted name: <c>release.publish</c>, <c>token.revoke</c>.</param>
/// <param name="Application">The application; null for an action on the cluster.</param>
/// <param name="Release">The release; null if none is concerned.</param>
/// <param name="Detail">Details for display; at most <see cref="StoreLimits.AuditDetailCharsMax"/> characters.</param>
internal sealed record AuditEntry(long TimeUnixMicros, string Actor, string Action, string? Application, ulong? Release, string Detail);

/// <summary>A stored audit entry.</summary>
/// <param name="Number">Its number; increases with each entry.</param>
/// <param name="Entry">The entry.</param>
internal sealed record AuditRecord(long Number, AuditEntry Entry);
