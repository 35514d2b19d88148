namespace Ripple.Attacks.Nodes;

/// <summary>A frame of the control channel.</summary>
/// <param name="Type">Its number.</param>
/// <param name="Body">Its bytes.</param>
internal readonly record struct Frame(ushort Type, byte[] Body);
