using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>The outcome of a wait.</summary>
[JsonConverter(typeof(WordConverter<WaitOutcome>))]
public enum WaitOutcome
{
    /// <summary>The predicate held.</summary>
    [JsonStringEnumMemberName("held")]
    Held,

    /// <summary>The predicate can no longer hold.</summary>
    [JsonStringEnumMemberName("cannot_hold")]
    CannotHold,

    /// <summary>The time ran out.</summary>
    [JsonStringEnumMemberName("timed_out")]
    TimedOut,
}
