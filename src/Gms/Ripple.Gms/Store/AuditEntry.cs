namespace Ripple.Gms.Store;

/// <summary>Who did what.</summary>
/// <param name="TimeUnixMicros">When, in microseconds of Unix time, UTC.</param>
/// <param name="Actor">Who.</param>
/// <param name="Action">What, as a dotted name: <c>release.publish</c>, <c>token.revoke</c>.</param>
/// <param name="Application">To which application; null when it is about the cluster.</param>
/// <param name="Release">Which release; null when it is about none.</param>
/// <param name="Detail">The rest, for people; at most <see cref="StoreLimits.AuditDetailCharsMax"/> characters.</param>
internal sealed record AuditEntry(long TimeUnixMicros, string Actor, string Action, string? Application, ulong? Release, string Detail);
