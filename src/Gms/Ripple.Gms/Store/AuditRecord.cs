namespace Ripple.Gms.Store;

/// <summary>An audit entry as it is stored.</summary>
/// <param name="Number">Its number: later entries have greater ones.</param>
/// <param name="Entry">The entry.</param>
internal sealed record AuditRecord(long Number, AuditEntry Entry);
