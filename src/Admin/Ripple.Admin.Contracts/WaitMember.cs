namespace Ripple.Admin.Contracts;

/// <summary>A member listed in the result of a wait.</summary>
/// <param name="NodeId">Its id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">The release it has reached, at the level asked for.</param>
/// <param name="Reason">Why it is listed.</param>
public sealed record WaitMember(string NodeId, string Name, ulong Value, string Reason);
