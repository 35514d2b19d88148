namespace Ripple.Admin.Contracts;

/// <summary>A node whose certificate was revoked. Kept until no certificate of it can be good.</summary>
/// <param name="NodeId">The node's id.</param>
/// <param name="Name">What it called itself; empty if that was not known.</param>
/// <param name="Revoked">When it was revoked, UTC.</param>
/// <param name="Actor">Who revoked it.</param>
/// <param name="Reason">Why; empty if that was not said.</param>
public sealed record RevokedNodeInfo(string NodeId, string Name, DateTimeOffset Revoked, string Actor, string Reason);
