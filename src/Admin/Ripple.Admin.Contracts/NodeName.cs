namespace Ripple.Admin.Contracts;

/// <summary>A node and its names.</summary>
/// <param name="NodeId">Its id, 32 hexadecimal digits.</param>
/// <param name="Name">Its display name.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="Application">The application the node belongs to, which may differ from the one whose releases it receives.</param>
public sealed record NodeName(string NodeId, string Name, string Zone, string Application);
