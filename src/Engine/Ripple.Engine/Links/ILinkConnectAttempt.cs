namespace Ripple.Engine.Links;

/// <summary>A connect under way. Core thread.</summary>
internal interface ILinkConnectAttempt
{
    /// <summary>Gives it up: the result is not called any more. Does nothing when it was called already.</summary>
    void Cancel();
}
