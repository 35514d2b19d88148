using Ripple.Engine.Protocol;

namespace Ripple.Gms.Calls;

/// <summary>What a caller is told: what it asked for, or why not.</summary>
/// <typeparam name="T">What it asked for.</typeparam>
/// <param name="Value">What it asked for; the default when it is refused.</param>
/// <param name="Refusal">Why it is refused; null when it is not.</param>
internal readonly record struct Answer<T>(T? Value, Refusal? Refusal)
{
    public static implicit operator Answer<T>(T value) => new(value, null);

    public static implicit operator Answer<T>(Refusal refusal) => new(default, refusal);

    public static Answer<T> Refuse(ErrorCode code, string text) => new Refusal(code, text);
}
