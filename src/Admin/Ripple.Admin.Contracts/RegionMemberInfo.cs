namespace Ripple.Admin.Contracts;

/// <summary>A member of a region's view.</summary>
/// <param name="NodeId">The node's id, 32 hexadecimal digits.</param>
/// <param name="Name">The node's display name; empty if it is gone since the view was made.</param>
public sealed record RegionMemberInfo(string NodeId, string Name);
