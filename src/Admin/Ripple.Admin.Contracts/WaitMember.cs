namespace Ripple.Admin.Contracts;

/// <summary>A member of a wait that is named in its result.</summary>
/// <param name="NodeId">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it is at, by the level that was asked for.</param>
/// <param name="Reason">Why it is named.</param>
public sealed record WaitMember(string NodeId, string Name, ulong Value, string Reason);
