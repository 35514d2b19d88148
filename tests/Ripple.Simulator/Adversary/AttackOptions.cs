using Ripple.Simulator.Faults;

namespace Ripple.Simulator.Adversary;

/// <summary>What an attacker does and when.</summary>
internal sealed record AttackOptions
{
    /// <summary>When it begins. Default 4 s.</summary>
    public long StartNs { get; init; } = 4_000_000_000;

    /// <summary>When it ends.</summary>
    public long EndNs { get; init; } = 40_000_000_000;

    /// <summary>The mean time between forgeries. Default 60 ms.</summary>
    public long EveryNs { get; init; } = 60_000_000;

    /// <summary>When the captured member is expelled; null (the default) for never. From then on the attacker is a former member.</summary>
    public long? ExpelNs { get; init; }

    /// <summary>
    /// Whether the member's process is stopped a second before it is expelled, and started again later: no session of its ends by the
    /// expulsion. Default false.
    /// </summary>
    public bool IsAwayWhenExpelled { get; init; }

    /// <summary>Windows in which it rests. Default none.</summary>
    public CalmWindows Calms { get; init; } = CalmWindows.None;

    /// <summary>The kinds of forgery; null (the default) to draw them.</summary>
    public IReadOnlyList<IForgery>? Kinds { get; init; }
}
