namespace Ripple.Engine.Releases;

/// <summary>How a host ended a question for a past state.</summary>
internal enum PastAnswer
{
    /// <summary>It sent the state, or cannot send this one: the next is asked for.</summary>
    Ended,

    /// <summary>There is no such release, and none before it.</summary>
    None,

    /// <summary>It cannot answer now, and is asked the same again.</summary>
    Busy,
}
