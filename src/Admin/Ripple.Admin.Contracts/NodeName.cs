namespace Ripple.Admin.Contracts;

/// <summary>A node, by its names.</summary>
/// <param name="NodeId">Its id, 32 hexadecimal digits.</param>
/// <param name="Name">Its name for people.</param>
/// <param name="Zone">Its zone.</param>
/// <param name="Application">The application it is of, which may be another than the one it takes releases of.</param>
public sealed record NodeName(string NodeId, string Name, string Zone, string Application);
