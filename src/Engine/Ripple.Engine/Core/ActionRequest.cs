namespace Ripple.Engine.Core;

/// <summary>A request that runs a delegate, for operations rare enough to allocate.</summary>
internal sealed class ActionRequest(Action action) : Request
{
    /// <inheritdoc/>
    protected internal override void Execute() => action();
}
