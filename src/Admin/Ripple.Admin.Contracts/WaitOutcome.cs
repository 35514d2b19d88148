using System.Text.Json.Serialization;

namespace Ripple.Admin.Contracts;

/// <summary>How a wait ended.</summary>
[JsonConverter(typeof(WordConverter<WaitOutcome>))]
public enum WaitOutcome
{
    /// <summary>The predicate held.</summary>
    [JsonStringEnumMemberName("held")]
    Held,

    /// <summary>It can no longer hold.</summary>
    [JsonStringEnumMemberName("cannot_hold")]
    CannotHold,

    /// <summary>The time is up.</summary>
    [JsonStringEnumMemberName("timed_out")]
    TimedOut,
}
