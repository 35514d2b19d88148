using Ripple.Engine.Protocol;

namespace Ripple.Gms.Calls;

/// <summary>The outcome of a call: a value, or a refusal.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="Value">The value; the default when refused.</param>
/// <param name="Refusal">The reason for a refusal; null on success.</param>
internal readonly record struct Answer<T>(T? Value, Refusal? Refusal)
{
    public static implicit operator Answer<T>(T value) => new(value, null);

    public static implicit operator Answer<T>(Refusal refusal) => new(default, refusal);

    public static Answer<T> Refuse(ErrorCode code, string text) => new Refusal(code, text);
}
