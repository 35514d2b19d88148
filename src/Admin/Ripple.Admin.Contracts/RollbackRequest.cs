namespace Ripple.Admin.Contracts;

/// <summary>
/// Publishes the state of a past release as the newest release. The expected release is passed in <c>If-Match</c>, the publish id in
/// <c>Idempotency-Key</c>.
/// </summary>
/// <param name="ToRelease">The release whose state to restore.</param>
/// <param name="Note">The reason; may be empty.</param>
public sealed record RollbackRequest(ulong ToRelease, string Note = "");
