namespace Ripple.Client;

/// <summary>The sizes of a runtime. Immutable.</summary>
public sealed record RippleRuntimeOptions
{
    /// <summary>The core thread's name. Default <c>ripple core</c>.</summary>
    public string Name { get; init; } = "ripple core";

    /// <summary>
    /// The most calls, connection frames and completions that wait for the core, over all clients. Default 16,384. More wait at their
    /// senders.
    /// </summary>
    public int RequestsMax { get; init; } = 16_384;

    /// <summary>The most timers, over all clients; a client has about ten. Default 16,384.</summary>
    public int TimersMax { get; init; } = 16_384;
}
