namespace Ripple.Admin.Contracts;

/// <summary>
/// Makes the state of a past release the newest release. The expected release stands in <c>If-Match</c>, the publish id in
/// <c>Idempotency-Key</c>.
/// </summary>
/// <param name="ToRelease">The release whose state to bring back.</param>
/// <param name="Note">Why; may be empty.</param>
public sealed record RollbackRequest(ulong ToRelease, string Note = "");
