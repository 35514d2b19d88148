namespace Ripple.Gms.Store;

/// <summary>A stored audit entry.</summary>
/// <param name="Number">Its number; increases with each entry.</param>
/// <param name="Entry">The entry.</param>
internal sealed record AuditRecord(long Number, AuditEntry Entry);
