namespace Ripple.Client;

/// <summary>How far an event has come. Each holds those before it.</summary>
public enum EmitUntil
{
    /// <summary>A host has it. The client keeps it, and emits it again if need be, until it is delivered.</summary>
    Accepted,

    /// <summary>It waits for each subscriber whose box has it.</summary>
    Matched,

    /// <summary>Each of them took it, is gone, or lost it because it takes events too slowly and will be told.</summary>
    Delivered,
}
