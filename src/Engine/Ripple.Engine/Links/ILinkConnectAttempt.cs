namespace Ripple.Engine.Links;

/// <summary>A connect in progress. Core thread.</summary>
internal interface ILinkConnectAttempt
{
    /// <summary>Abandons the attempt: its result is no longer called. Does nothing when it was already called.</summary>
    void Cancel();
}
