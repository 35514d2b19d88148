namespace Ripple.Engine.Core;

/// <summary>A connect under way. Core thread.</summary>
public interface IControlConnectAttempt
{
    /// <summary>Gives it up: the result is not called any more. Does nothing when it was called already.</summary>
    void Cancel();
}
