namespace Ripple.Client;

/// <summary>Name and limits of a runtime. Immutable.</summary>
public sealed record RippleRuntimeOptions
{
    /// <summary>The core thread's name. Default <c>ripple core</c>.</summary>
    public string Name { get; init; } = "ripple core";

    /// <summary>
    /// Maximum number of calls, connection frames and completions queued for the core, over all clients. Beyond it, senders wait. Default
    /// 16,384.
    /// </summary>
    public int RequestsMax { get; init; } = 16_384;

    /// <summary>Maximum number of timers, over all clients; a client uses about ten. Default 16,384.</summary>
    public int TimersMax { get; init; } = 16_384;
}
